import AlertCore
import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

/// What comes from another host is held against its bounds before the core hears of it.
@Suite struct FeedBatchTests {
  static let event = EventIdentity(
    deviceID: DeviceID(rawValue: 1 << 63 | 7), number: EventNumber(rawValue: 1 << 32 | 3),
    kind: .pressed, clock: 5_000_000, bootNonce: 77)

  static let hello: Hello = {
    var hello = Hello(
      role: .device, session: 1, software: SoftwareVersion(major: 1, minor: 0, patch: 0))
    hello.deviceID = event.deviceID
    return hello
  }()

  static func batch(
    _ inputs: [FeedBatch.Input] = [], echo: FeedBatch.Echo? = nil, down: String? = nil
  ) -> FeedBatch {
    FeedBatch(
      bridge: "0123456789abcdef", line: 0, sequence: 1, echo: echo, down: down, hello: hello.data,
      inputs: inputs)
  }

  static func input(age: [Int64]? = nil) -> FeedBatch.Input {
    FeedBatch.Input(kind: .event, payload: EventRecord(event).data, age: age)
  }

  @Test func `a batch survives its JSON form`() throws {
    let batch = Self.batch(
      [Self.input(age: [1, 2])], echo: FeedBatch.Echo(clock: 9, held: 8), down: "unplugged")
    let read = try JSONDecoder().decode(FeedBatch.self, from: JSONEncoder().encode(batch))
    #expect(read == batch)
    let checked = try read.checked()
    #expect(checked.hello == Self.hello)
    guard case .event(let record, let age) = try #require(checked.inputs.first) else {
      Issue.record("an event came out as \(checked.inputs)")
      return
    }
    #expect(record.identity == Self.event && age == 1...2)
  }

  @Test func `what a line says is what the core takes`() throws {
    var beat = Heartbeat()
    beat.uptime = 9
    let feed = CheckedFeed(
      bridge: "0123456789abcdef", line: 3, sequence: 9, echo: FeedEcho(clock: 7, held: 5),
      down: "unplugged", trouble: "no such file", hello: Self.hello,
      inputs: [
        .event(EventRecord(Self.event), age: -3...5), .event(EventRecord(Self.event), age: nil),
        .barePress(Self.event), .heartbeat(beat), .position(PositionFix()),
        Self.relayed(.proof, Proof.size, isSealed: false), Self.relayed(.event, 90, age: -3...5),
        Self.relayed(.heartbeat, Heartbeat.size), Self.relayed(.gpsFix, PositionFix.size),
      ])
    let posted = try JSONEncoder().encode(FeedBatch(feed))
    #expect(try JSONDecoder().decode(FeedBatch.self, from: posted).checked() == feed)
  }

  /// A frame of zeros, which is what its kind may be; of an event the press.
  private static func relayed(
    _ type: MessageType, _ size: Int, isSealed: Bool = true, age: ClosedRange<Int64>? = nil
  ) -> CheckedFeed.Input {
    var payload = type == .event ? [UInt8](EventRecord(event).data) : []
    payload += [UInt8](repeating: 0, count: size - payload.count)
    return .relayed(
      RelayedFrame(
        head: isSealed ? 0x18 : 0x10, rawType: type.rawValue, payload: payload,
        trailer: isSealed ? Array(1...16) : []), age: age)
  }

  @Test func `every signal survives its way as an event`() {
    let indication = Indication(incident: .max, state: .countdown, detail: 9)
    for signal in [
      FeedSignal.heartbeat(clock: .max), .ack(line: 3, EventAck(Self.event)),
      .indicate(FeedSignal.Shown(1_023, indication)),
      .frame(
        line: 9,
        RelayedFrame(head: 0x18, rawType: 0x11, payload: [1, 2], trailer: Array(1...16))),
      .frame(line: 0, RelayedFrame(head: 0x10, rawType: 6, payload: [1, 2], trailer: [])),
    ] {
      let (name, data) = signal.event
      #expect(FeedSignal(name: name, data: data) == signal)
      #expect(!data.contains("\n"))
    }
    #expect(FeedSignal(name: "ack", data: "{") == nil)
    #expect(FeedSignal(name: "ack", data: #"{"line":1,"ack":"AAAA"}"#) == nil)
    #expect(FeedSignal(name: "later", data: "{}") == nil)
  }

  static let wrong: [(String, @Sendable (inout FeedBatch) -> Void)] = [
    ("bridge", { $0.bridge = "0123456789ABCDEF" }),
    ("bridge", { $0.bridge = "" }),
    ("line", { $0.line = -1 }),
    ("line", { $0.line = Limits.devices }),
    ("sequence", { $0.sequence = -1 }),
    ("echo", { $0.echo = FeedBatch.Echo(clock: .max, held: .max) }),
    ("echo", { $0.echo = FeedBatch.Echo(clock: -1, held: 0) }),
    ("down", { $0.down = String(repeating: "x", count: 401) }),
    ("trouble", { $0.trouble = String(repeating: "ü", count: 201) }),
    ("hello", { $0.hello = Data([1, 2, 3]) }),
    ("hello", { $0.hello = Data(repeating: 0xFF, count: 60) }),
    ("inputs", { $0.inputs = Array(repeating: input(), count: 257) }),
    ("payload", { $0.inputs[0].payload = Data() }),
    ("payload", { $0.inputs[0].payload = Data(repeating: 0, count: 246) }),
    (
      "payload",
      {
        $0.inputs[0].kind = .heartbeat
        $0.inputs[0].payload = Data(count: 29)
      }
    ),
    (
      "payload",
      {
        $0.inputs[0].kind = .barePress
        $0.inputs[0].payload = Data(count: 29)
      }
    ),
    ("head", { $0.inputs[0].trailer = Data(count: 16) }),
    ("head", { ($0.inputs[0].head, $0.inputs[0].trailer) = (0x10, Data(count: 16)) }),
    ("head", { ($0.inputs[0].head, $0.inputs[0].trailer) = (0x28, Data(count: 16)) }),
    ("trailer", { $0.inputs[0].head = 0x18 }),
    ("trailer", { ($0.inputs[0].head, $0.inputs[0].trailer) = (0x18, Data(count: 15)) }),
    (
      "trailer",
      {
        $0.inputs[0].payload = Data(FeedBatchTests.input().payload + Data(count: 180))
        ($0.inputs[0].head, $0.inputs[0].trailer) = (0x18, Data(count: 16))
      }
    ),
    (
      "payload",
      {
        $0.inputs[0].kind = .proof
        $0.inputs[0].payload = Data(count: Proof.size - 1)
      }
    ),
    ("age", { $0.inputs[0].age = [2, 1] }),
    ("age", { $0.inputs[0].age = [1] }),
    ("age", { $0.inputs[0].age = [.min, .max] }),
  ]

  @Test(arguments: wrong.indices)
  func `what is out of bounds is refused by its name`(index: Int) {
    let (field, spoil) = Self.wrong[index]
    var batch = Self.batch([Self.input()])
    spoil(&batch)
    do throws(FeedRefusal) {
      _ = try batch.checked()
      Issue.record("\(field) was taken")
    } catch {
      guard case .malformed(field, _) = error else {
        Issue.record("\(field) was refused as \(error)")
        return
      }
    }
  }

  private static let letters = Array("0123456789abcdef\"{}[],".utf8)

  /// Whatever comes: taken or refused, and never a trap; and so in the table behind it.
  @Test func `seeded garbage is taken or refused`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var table = FeedTable()
    let key = PairingKey(low: 1, high: 2)
    _ = table.use([Self.event.deviceID: key], at: Instant(microseconds: 0))
    var taken = 0
    let sealed = FeedBatch.Input(
      Self.relayed(.heartbeat, Heartbeat.size))
    let good = try JSONEncoder().encode(
      Self.batch(
        [Self.input(age: [1, 2]), sealed], echo: FeedBatch.Echo(clock: 9, held: 8), down: "x"))
    for round in 0..<(Soak.isOn ? 1_000_000 : 5_000) {
      var bytes = [UInt8](good)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + 3))
        case 2: bytes.insert(contentsOf: "-9223372036854775808".utf8, at: at)
        default: bytes[at] = Self.letters.randomElement(using: &random)!
        }
        if bytes.isEmpty { bytes = [0] }
      }
      guard let batch = try? JSONDecoder().decode(FeedBatch.self, from: Data(bytes)),
        let checked = try? batch.checked()
      else { continue }
      let now = Instant(microseconds: Int64(round) * 1_000)
      if (try? table.take(checked, of: "token", at: now)) != nil { taken += 1 }
      _ = table.takeOverdue(at: now)
      _ = table.takeSilent(at: now)
      _ = table.keepSeals(at: now)
      _ = table.takeSignals()
    }
    #expect(taken > 0, "seed \(seed)")
  }
}
