import AlertCore
import FobBase
import TestSupport
import Testing

@testable import Sinks

@Suite struct DC09ExchangeTests {
  private static let wall = Timestamp.evening.wall
  private static let start = Instant(microseconds: 1_000_000)

  private func exchange(
    _ content: DC09Content = .press, isEncrypted: Bool = false
  ) -> DC09Exchange {
    var exchange = DC09Exchange(
      DC09Message(place: .sample, content: content, sequence: 7), isEncrypted: isEncrypted,
      at: Self.start)
    #expect(
      exchange.begin(at: Self.start, wall: Self.wall) == .send(wall: Self.wall, isShort: false))
    return exchange
  }

  private func hear(
    _ exchange: inout DC09Exchange, _ answer: DC09Answer, after seconds: Int64 = 1
  ) -> DC09Exchange.Effect? {
    exchange.hear(
      .success(answer), at: Self.start + .seconds(seconds), wall: Self.wall + seconds * 1_000_000)
  }

  private func answer(
    _ word: DC09Answer.Word = .ack, sequence: Int = 7, account: String = "12AB",
    isEncrypted: Bool = false, wall: Int64? = wall
  ) -> DC09Answer {
    DC09Answer(
      word: word, sequence: sequence, account: account, isEncrypted: isEncrypted, wall: wall)
  }

  @Test func `the ACK of its own number and account delivers, no other does`() {
    var exchange = exchange()
    #expect(hear(&exchange, answer(sequence: 6)) == nil)
    #expect(hear(&exchange, answer(account: "12AC")) == nil)
    #expect(hear(&exchange, answer(account: "")) == nil)
    // Some receivers keep an account as a number.
    #expect(hear(&exchange, answer(account: "0012AB", wall: nil)) == .delivered)
  }

  @Test func `an encrypted message is delivered by an encrypted ACK of its time alone`() {
    var exchange = exchange(isEncrypted: true)
    #expect(hear(&exchange, answer()) == nil)
    #expect(hear(&exchange, answer(isEncrypted: true, wall: Self.wall - 60_000_000)) == nil)
    #expect(hear(&exchange, answer(isEncrypted: true, wall: Self.wall + 62_000_000)) == nil)
    #expect(
      hear(&exchange, answer(isEncrypted: true, wall: Self.wall - 59_000_000)) == .delivered)
  }

  @Test func `without an answer it is sent three times in 10 s, each with its time`() {
    var exchange = exchange()
    var sent: [Int64] = []
    while true {
      let now = exchange.nextWake
      let passed = (now - Self.start).microseconds
      let early = exchange.wake(at: now - .microseconds(1), wall: Self.wall)
      #expect(early == nil)
      let effect = exchange.wake(at: now, wall: Self.wall + passed)
      guard case .send(let wall, false)? = effect else {
        #expect(effect == .failed("it did not confirm in time") && passed == 10_000_000)
        break
      }
      sent.append(wall - Self.wall)
    }
    #expect(sent == [3_000_000, 6_000_000])
    #expect(exchange.lose("it went") == "it went")
  }

  @Test func `what was wrong with the answers is told in the end`() {
    var exchange = exchange()
    #expect(exchange.hear(.failure(.crc), at: Self.start, wall: Self.wall) == nil)
    #expect(exchange.lose("it went") == "it went: the CRC of an answer was wrong")
    #expect(
      exchange.wake(at: Self.start + .seconds(10), wall: Self.wall)
        == .failed("it did not confirm in time: the CRC of an answer was wrong"))
  }

  @Test func `a NAK has it sent again by the receiver's time, and a second one is a refusal`() {
    var exchange = exchange(.linkTest, isEncrypted: true)
    let hour: Int64 = 3_600_000_000
    let nak = answer(.nak, sequence: 0, account: "", wall: Self.wall + hour)
    #expect(
      hear(&exchange, nak, after: 0) == .send(wall: Self.wall + hour, isShort: false))
    // A repeat goes by that time, too.
    #expect(
      exchange.wake(at: Self.start + .seconds(3), wall: Self.wall + 3_000_000)
        == .send(wall: Self.wall + hour + 3_000_000, isShort: false))
    var other = exchange
    #expect(hear(&other, answer(isEncrypted: true, wall: Self.wall), after: 4) == nil)
    #expect(
      hear(&other, answer(isEncrypted: true, wall: Self.wall + hour), after: 4) == .delivered)
    #expect(
      hear(&exchange, nak, after: 4)
        == .failed("it refuses the message (NAK): compare account, key and clocks"))
  }

  @Test func `a made-up NAK that leads to a recorded ACK delivers nothing`() {
    let day: Int64 = 86_400_000_000
    let nak = answer(.nak, sequence: 0, account: "", wall: Self.wall - day)
    let recorded = answer(isEncrypted: true, wall: Self.wall - day)
    for (earliest, isDelivered) in [(Self.wall - 1_000_000, false), (Self.wall - day, true)] {
      var exchange = DC09Exchange(
        DC09Message(place: .sample, content: .linkTest, sequence: 7), isEncrypted: true,
        notBefore: earliest, at: Self.start)
      _ = exchange.begin(at: Self.start, wall: Self.wall)
      #expect((hear(&exchange, nak) != nil) == isDelivered)
      #expect((hear(&exchange, recorded) == .delivered) == isDelivered)
      #expect(exchange.confirmedWall == (isDelivered ? Self.wall - day : nil))
      #expect(hear(&exchange, answer(isEncrypted: true)) == (isDelivered ? nil : .delivered))
    }
  }

  @Test func `refusals of what was sent before count once`() {
    var exchange = exchange(.linkTest)
    let nak = answer(.nak, sequence: 0, account: "", wall: Self.wall + 100_000_000)
    _ = exchange.wake(at: Self.start + .seconds(3), wall: Self.wall + 3_000_000)
    #expect(hear(&exchange, nak, after: 4) == .send(wall: Self.wall + 100_000_000, isShort: false))
    #expect(hear(&exchange, nak, after: 4) == nil)
    #expect(hear(&exchange, answer(), after: 5) == .delivered)
    // Nothing was asked that it could be an answer to.
    #expect(hear(&exchange, nak, after: 5) != nil && hear(&exchange, nak, after: 5) == nil)
  }

  @Test func `a receiver that cannot read it gets it without its position, then it is a failure`() {
    var exchange = exchange()
    #expect(
      hear(&exchange, answer(.duh)) == .send(wall: Self.wall + 1_000_000, isShort: true))
    #expect(hear(&exchange, answer(.duh)) == .failed("it cannot read such events (DUH)"))
    var second = self.exchange()
    let nak = answer(.nak, sequence: 0, account: "", wall: Self.wall + 1_000_000)
    #expect(hear(&second, nak) == .send(wall: Self.wall + 1_000_000, isShort: false))
    #expect(hear(&second, nak) == .send(wall: Self.wall + 1_000_000, isShort: true))
    #expect(hear(&second, answer()) == .delivered)
  }

  @Test func `whatever comes, delivered is said after a right ACK alone, and the end within 10 s`()
  {
    let first = UInt64.random(in: .min ... .max)
    var delivered = 0
    for seed in first..<first + 3_000 {
      var world = AnsweringWorld(seed: seed)
      let end = world.play()
      if end == .delivered { delivered += 1 }
      #expect((end == .delivered) == world.isConfirmed, "seed \(seed): \(end)")
      #expect(world.now - AnsweringWorld.start <= .seconds(10), "seed \(seed)")
      #expect(world.sent <= 5, "seed \(seed): \(world.sent)")
    }
    #expect((300...2_700).contains(delivered), "\(delivered) of 3000 from seed \(first) on")
  }
}

/// A receiver that loses, delays, repeats and mistakes, in virtual time.
private struct AnsweringWorld {
  static let start = Instant(microseconds: 5_000_000)

  private struct Coming {
    let at: Instant
    let answer: Result<DC09Answer, DC09Flaw>
    let isRight: Bool
  }

  private var chance: SeededGenerator
  private let isEncrypted: Bool
  /// Its clock's difference, µs.
  private let ahead: Int64
  private let loss: Int
  private var exchange: DC09Exchange
  private var coming: [Coming] = []
  private(set) var now = Self.start
  private(set) var sent = 0
  /// A right ACK has come while it was awaited.
  private(set) var isConfirmed = false

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    isEncrypted = Bool.random(using: &chance)
    ahead = Int64([0, 0, 15, -30, 3_600, -86_400].randomElement(using: &chance)!) * 1_000_000
    loss = Int.random(in: 1...8, using: &chance)
    exchange = DC09Exchange(
      DC09Message(
        place: .sample, content: Bool.random(using: &chance) ? .press : .linkTest, sequence: 7),
      isEncrypted: isEncrypted, at: Self.start)
  }

  private var wall: Int64 { Timestamp.evening.wall + (now - Self.start).microseconds }

  mutating func play() -> DC09Exchange.Effect {
    var effect: DC09Exchange.Effect? = exchange.begin(at: now, wall: wall)
    while true {
      switch effect {
      case .send(let wall, _)?: take(wall)
      case let end?: return end
      case nil: break
      }
      let next = coming.indices.min { coming[$0].at < coming[$1].at }
      if let next, coming[next].at < exchange.nextWake {
        let event = coming.remove(at: next)
        now = event.at
        if event.isRight { isConfirmed = true }
        effect = exchange.hear(event.answer, at: now, wall: wall)
      } else {
        now = exchange.nextWake
        effect = exchange.wake(at: now, wall: wall)
      }
    }
  }

  /// The message has come, with this time.
  private mutating func take(_ told: Int64) {
    sent += 1
    let theirs = wall + ahead
    let isInTime = !isEncrypted || (told - theirs).magnitude <= 20_000_000
    guard isInTime else { return say(.nak, 0, "", theirs) }
    switch Int.random(in: 0..<12, using: &chance) {
    case 0..<loss: break
    case 8: say(.nak, 0, "", theirs)
    case 9: say(.duh, 7, "12AB", theirs)
    case 10: say(.ack, 7, "12AB", theirs, isRight: true)
    case let draw: mistake(draw, theirs)
    }
    if Int.random(in: 0..<3, using: &chance) == 0 { say(.ack, 7, "12AB", theirs, isRight: true) }
  }

  private mutating func mistake(_ draw: Int, _ theirs: Int64) {
    switch draw % 5 {
    case 0: say(.ack, 8, "12AB", theirs)
    case 1: say(.ack, 7, "12AC", theirs)
    case 2 where isEncrypted: say(.ack, 7, "12AB", theirs, isOpen: true)
    case 3 where isEncrypted: say(.ack, 7, "12AB", theirs - 7_200_000_000)
    default: coming.append(Coming(at: later(), answer: .failure(.crc), isRight: false))
    }
  }

  private mutating func later() -> Instant {
    now + .milliseconds(Int64.random(in: 0...5_000, using: &chance))
  }

  private mutating func say(
    _ word: DC09Answer.Word, _ sequence: Int, _ account: String, _ theirs: Int64,
    isOpen: Bool = false, isRight: Bool = false
  ) {
    let answer = DC09Answer(
      word: word, sequence: sequence, account: account,
      isEncrypted: isEncrypted && word == .ack && !isOpen, wall: theirs)
    coming.append(Coming(at: later(), answer: .success(answer), isRight: isRight))
  }
}
