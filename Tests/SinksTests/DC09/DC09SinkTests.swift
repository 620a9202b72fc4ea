import AlertCore
import FobBase
import SerialIO
import SystemCrypto
import TestSupport
import Testing

@testable import Sinks

/// Over real sockets, against a receiver that does it wrong.
@Suite struct DC09SinkTests {
  /// For a receiver that does not answer.
  private static let short = DC09Exchange.Patience(
    repeatsAfter: .milliseconds(200), repeats: 2, lasts: .milliseconds(1_500))

  private func sink(
    _ port: UInt16, cipher: ZeroIVCipher? = nil, after sequence: Int = 0,
    patience: DC09Exchange.Patience = DC09Exchange.Patience()
  ) throws -> DC09Sink {
    let link = DC09Link(
      .sample, at: try ReceiverAddress("tcp://127.0.0.1:\(port)"), by: cipher, patience: patience,
      after: sequence)
    return try DC09Sink(name: "station", link, isTest: true)
  }

  private func refusal(_ sink: DC09Sink) -> String? {
    #expect(throws: SinkFailure.self) { try sink.carry(.onChannel("dc09:station")) }?.reason
  }

  @Test func `a confirmed event is delivered, and numbers go from 9999 on to 1`() throws {
    let peer = try DC09Peer { _, _ in [.confirms] }
    defer { peer.stop() }
    let sink = try sink(peer.port, after: 9_998)
    try sink.carry(.onChannel("dc09:station"))
    try sink.carry(.onChannel("dc09:station", .closing, sequence: 2, ended: .disarmed))
    #expect(peer.received.all.map(\.sequence) == [9_999, 1])
    let texts = peer.received.all.map(\.text)
    #expect(texts[0].contains("\"SIA-DCS\"9999R0L0#12AB[#12AB|Nri1/PA001][X000W00.090][Y51N28"))
    #expect(texts[1].contains("\"SIA-DCS\"0001R0L0#12AB[#12AB|Nri1/PR001]_"))
  }

  @Test func `an answer that comes byte by byte, or behind rubbish, is one`() throws {
    let peer = try DC09Peer { count, message in
      let answer = SampleAnswer(sequence: message.sequence ?? 0).bytes
      return count == 0 ? [.spells(answer)] : [.says([7, 10, 65, 13, 0] + answer)]
    }
    defer { peer.stop() }
    let sink = try sink(peer.port)
    for sequence in 1...2 { try sink.carry(.onChannel("dc09:station", sequence: sequence)) }
    #expect(peer.received.all.count == 2)
  }

  @Test func `a lost answer has it repeated by the same number, and then it is delivered`() throws {
    let peer = try DC09Peer { count, _ in count == 0 ? [] : [.confirms] }
    defer { peer.stop() }
    let patience = DC09Exchange.Patience(repeatsAfter: .milliseconds(200))
    try sink(peer.port, patience: patience).carry(.onChannel("dc09:station"))
    #expect(peer.received.all.map(\.sequence) == [1, 1])
  }

  @Test(
    arguments: [
      ([], "127.0.0.1: it did not confirm in time", 3),
      ([.closes], "127.0.0.1: it closed the connection without a confirmation", 1),
      (
        [.says(Array("HTTP/1.1 400\n\n".utf8))],
        "127.0.0.1: it did not confirm in time: what came is no frame", 3
      ),
      (
        [.says(SampleAnswer(sequence: 4_711).bytes)],
        "127.0.0.1: it did not confirm in time: an answer was to another message", 3
      ),
      (
        [.says(SampleAnswer(account: "99").bytes), .closes],
        "127.0.0.1: it closed the connection without a confirmation: an answer was to another"
          + " account", 1
      ),
      (
        [.says(SampleAnswer(word: "DUH").bytes)], "127.0.0.1: it cannot read such events (DUH)", 2
      ),
      (
        [.says(SampleAnswer.refusal("_00:00:00,01-01-2026"))],
        "127.0.0.1: it refuses the message (NAK): compare account, key and clocks", 3
      ),
      (
        [.floods([UInt8](repeating: 65, count: 65_536))],
        "127.0.0.1: it did not confirm in time: what came is no frame", nil
      ),
      (
        [.floods(SampleAnswer(sequence: 2).bytes)],
        "127.0.0.1: it did not confirm in time: an answer was to another message", nil
      ),
      (
        [.floods([10] + [UInt8](repeating: 65, count: 65_536) + [13])],
        "127.0.0.1: it did not confirm in time: an answer was longer than 1024 bytes", nil
      ),
    ] as [([DC09Peer.Move], String, Int?)])
  func `a receiver that does it wrong leaves it undelivered, with a reason, in time`(
    moves: [DC09Peer.Move], words: String, sent: Int?
  ) throws {
    let peer = try DC09Peer { _, _ in moves }
    defer { peer.stop() }
    let began = BootClock.now()
    let patience = words.contains("in time") ? Self.short : DC09Exchange.Patience()
    #expect(refusal(try sink(peer.port, patience: patience)) == words)
    #expect(BootClock.now() - began < .seconds(9))
    if let sent { #expect(peer.received.all.count == sent) }
  }

  @Test func `what failed is told again by the next delivery, and counts then`() throws {
    let peer = try DC09Peer { count, _ in count < 3 ? [] : [.confirms] }
    defer { peer.stop() }
    let sink = try sink(peer.port, patience: Self.short)
    #expect(refusal(sink) == "127.0.0.1: it did not confirm in time")
    try sink.carry(.onChannel("dc09:station"))
    #expect(peer.received.all.map(\.sequence) == [1, 1, 1, 2])
    let events = peer.received.all.map { $0.text.firstMatch(of: /\[#.*\]_/).map(\.0) }
    #expect(Set(events).count == 1 && events[0] != nil)
  }

  @Test func `nobody at the port is a refusal at once, with the port and no more`() throws {
    let port = try TCPListener(host: "127.0.0.1", port: 0).port
    #expect(
      refusal(try sink(port))
        == "cannot connect to 127.0.0.1:\(port): Connection refused")
  }

  @Test func `somebody on the way who makes up an ACK delivers nothing`() throws {
    let peer = try DC09Peer { count, message in
      var answer = SampleAnswer(sequence: message.sequence ?? 0, time: "_10:11:12,01-15-2026")
      // In the open, by another key, and one of long ago.
      if count % 3 == 1 { answer.cipher = ZeroIVCipher(key: [UInt8](repeating: 9, count: 16)) }
      if count % 3 == 2 { answer.cipher = .sample }
      return [.says(answer.bytes)]
    }
    defer { peer.stop() }
    #expect(
      refusal(try sink(peer.port, cipher: .sample, patience: Self.short))
        == "127.0.0.1: it did not confirm in time: an answer was of another time: compare both"
        + " clocks")
    #expect(peer.received.all.allSatisfy { $0.text.contains("\"*SIA-DCS\"") })
  }

  @Test func `an old ACK with the right number is none, whatever time a NAK makes up`() throws {
    let now = WallClock.now()
    // The receiver's clock goes half an hour after this host's, which is right at the start.
    let honest = SampleAnswer.time(now - 1_800_000_000)
    let recorded = SampleAnswer.time(now - 3_000_000_000)
    let peer = try DC09Peer { _, message in
      let time = message.sequence == 1 ? honest : recorded
      let answer = SampleAnswer(sequence: message.sequence ?? 0, time: time, cipher: .sample)
      return [.says(SampleAnswer.refusal(time)), .says(answer.bytes)]
    }
    defer { peer.stop() }
    let sink = try sink(peer.port, cipher: .sample, patience: Self.short)
    try sink.carry(.onChannel("dc09:station"))
    #expect(refusal(sink)?.hasSuffix("an answer was of another time: compare both clocks") == true)
  }

  @Test func `a live receiver is told of no bench keychain, and none of the owner's messages`()
    throws
  {
    let peer = try DC09Peer { _, _ in [.confirms] }
    defer { peer.stop() }
    let link = DC09Link(
      .sample, at: try ReceiverAddress("tcp://127.0.0.1:\(peer.port)"), by: nil)
    let live = try DC09Sink(name: "station", link)
    #expect(refusal(live)?.hasPrefix("it tells real people, and bench devices may not") == true)
    #expect(
      refusal(try DC09Sink(name: "other", link, isTest: true)) == "dc09:station is not its receiver"
    )
    let message = #expect(throws: SinkFailure.self) {
      try sink(peer.port).carry(.onChannel("dc09:station", .message))
    }
    #expect(message?.reason == "a receiver takes the events of alarms alone")
    #expect(peer.received.all.isEmpty)
  }

  // MARK: Supervision

  @Test func `a line that is supervised says once that it is there, and once that it is not`()
    throws
  {
    let changes = Gathered<String?>()
    let isThere = Gathered<Bool>()
    let peer = try DC09Peer { _, _ in isThere.all.count == 1 ? [.closes] : [.confirms] }
    defer { peer.stop() }
    let supervision = try DC09Supervision(
      of: try sink(peer.port), every: .milliseconds(5))
    try supervision.start { changes.put($0) }
    func hear(_ count: Int) throws {
      try peer.received.wait("\(count) questions") { peer.received.all.count >= count }
    }
    try hear(10)
    isThere.put(false)
    try changes.wait("it is gone") { changes.all.count == 2 }
    try hear(peer.received.all.count + 10)
    isThere.put(true)
    try changes.wait("it is there again") { changes.all.count == 3 }
    try hear(peer.received.all.count + 10)
    supervision.stop()
    let asked = peer.received.all
    #expect(
      changes.all == [nil, "127.0.0.1: it closed the connection without a confirmation", nil])
    #expect(Set(asked.map(\.token)) == ["NULL"])
    #expect(asked.map(\.sequence) == (1...asked.count).map { $0 })
  }

  @Test func `a question that hangs delays no alarm, and ends with the program`() throws {
    let peer = try DC09Peer { _, message in message.token == "NULL" ? [] : [.confirms] }
    defer { peer.stop() }
    let sink = try sink(peer.port)
    let changes = Gathered<String?>()
    let supervision = try DC09Supervision(of: sink, every: .seconds(60))
    try supervision.start { changes.put($0) }
    try peer.received.wait("the question") { !peer.received.all.isEmpty }
    let began = BootClock.now()
    try sink.carry(.onChannel("dc09:station"))
    #expect(BootClock.now() - began < .seconds(2))
    supervision.stop()
    #expect(BootClock.now() - began < .seconds(2))
    #expect(changes.all.isEmpty, "the end of the program is no trouble of the line")
  }
}
