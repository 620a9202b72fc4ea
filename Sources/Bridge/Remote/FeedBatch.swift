public import AlertCore
import FobBase
public import Foundation
import WireProtocol

/// `CheckedFeed` in the form in which a bridge on another host posts it. Payloads are those of the
/// wire protocol, in base64.
public struct FeedBatch: Codable, Equatable, Sendable {
  /// The bridge's run, chosen anew at each start: 16 hexadecimal digits.
  public var bridge: String
  /// The number of the bridge's line, from 0.
  public var line: Int
  /// Grows with each batch of a line.
  public var sequence: Int64
  /// The core's clock, as the stream told it last; nil if no stream is open.
  public var echo: Echo?
  /// Why the link was down since the last batch; nil if it was not.
  public var down: String?
  /// Why the line cannot be opened; nil if it can.
  public var trouble: String?
  /// HELLO of the device; nil while the link is down.
  public var hello: Data?
  /// The device's frames in the order in which they came; at most 256.
  public var inputs: [Input]

  /// The core's clock as it comes back from the bridge.
  public typealias Echo = FeedEcho

  /// One frame of the device.
  public struct Input: Codable, Equatable, Sendable {
    /// Which frame it is; the word stands in the JSON.
    public enum Kind: String, Codable, CaseIterable, Sendable {
      /// EVENT.
      case event
      /// The frozen part of an EVENT whose rest cannot be read: 29 bytes.
      case barePress
      /// HEARTBEAT.
      case heartbeat
      /// GPS_FIX.
      case position
      /// PROOF, which answers a CHALLENGE of the core.
      case proof
    }

    /// Decides how `payload` is read.
    public var kind: Kind
    /// The payload on the wire, base64 in JSON; longer ones of newer versions are accepted.
    public var payload: Data
    /// For an event: how long ago its first edge was when the batch was sent, at least and at most,
    /// in µs. Nil if no clock fit tells.
    public var age: [Int64]?
    /// Where the keychain has sealed the frame, its head as on the wire, for the core to judge. A
    /// core that reads it says so in its answers. Nil for a bare press, of which nothing counts but
    /// its identity.
    public var head: UInt8?
    /// What seals the frame: clock, counter and tag, 16 bytes; nil where head is.
    public var trailer: Data?
  }
}

/// The answer to a batch: those of its events that are committed, and the light that goes with it.
public struct FeedAnswer: Codable, Equatable, Sendable {
  /// EVENT_ACK payloads. Acks that are missing follow in the stream.
  public var acks: [Data]
  /// True: this core reads `head` and `trailer` of an input, and the kind proof. Nil at earlier
  /// versions, which refuse them.
  public var sealed: Bool?
  /// What the keychain is to show with these acks; nil where that is not known or goes sealed, and
  /// at earlier versions. A bridge that hears the stream goes by that.
  public var shown: FeedSignal.Shown?

  /// Without acks.
  public init() {
    acks = []
    sealed = true
  }

  /// The acks that the core has given so far; none in a sealed session, whose acks are frames of
  /// the stream.
  init(_ answer: FeedTable.Answer) {
    acks = answer.acks.map(\.data)
    sealed = true
    shown = answer.shown
  }
}

/// Converts between the HTTP form and the machines' form.
extension FeedBatch {
  /// The most inputs of one batch.
  static let maxInputs = 256

  init(_ feed: CheckedFeed) {
    self.init(
      bridge: feed.bridge, line: feed.line, sequence: feed.sequence, echo: feed.echo,
      down: feed.down, trouble: feed.trouble, hello: feed.hello?.data,
      inputs: feed.inputs.map { Input($0) })
  }

  func checked() throws(FeedRefusal) -> CheckedFeed {
    guard bridge.utf8.count == 16, bridge.utf8.allSatisfy(Self.isHexDigit) else {
      throw .malformed(field: "bridge", must: "16 hexadecimal digits")
    }
    guard (0..<Limits.devices).contains(line) else {
      throw .malformed(field: "line", must: "0 to \(Limits.devices - 1)")
    }
    guard sequence >= 0 else { throw .malformed(field: "sequence", must: "0 or more") }
    let times = 0...CheckedFeed.oldest
    if let echo, !times.contains(echo.clock) || !times.contains(echo.held) {
      throw .malformed(field: "echo", must: "clock and held, each 0 to \(times.upperBound) µs")
    }
    for (field, text) in [("down", down), ("trouble", trouble)] {
      guard (text?.utf8.count ?? 0) <= CheckedFeed.maxReasonSize else {
        throw .malformed(field: field, must: "\(CheckedFeed.maxReasonSize) bytes at the most")
      }
    }
    guard inputs.count <= Self.maxInputs else {
      throw .malformed(field: "inputs", must: "\(Self.maxInputs) at the most")
    }
    var hello: Hello?
    if let bytes = self.hello {
      hello = try Self.read(Hello.self, bytes, "hello")
      guard hello?.role == .device else {
        throw .malformed(field: "hello", must: "that of a device")
      }
    }
    var checked: [CheckedFeed.Input] = []
    for input in inputs { checked.append(try input.checked()) }
    return CheckedFeed(
      bridge: bridge, line: line, sequence: sequence, echo: echo, down: down, trouble: trouble,
      hello: hello, inputs: checked)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  static func read<P: Payload>(
    _ type: P.Type, _ data: Data, _ field: String
  ) throws(FeedRefusal) -> P {
    let bytes = [UInt8](data)
    guard (P.size...Limits.maxPayloadSize).contains(bytes.count),
      let payload = bytes.withUnsafeBytes({ P($0) })
    else {
      throw .malformed(
        field: field,
        must: "a payload of \(P.size) to \(Limits.maxPayloadSize) bytes as"
          + " PROTOCOL.md has it")
    }
    return payload
  }
}

extension FeedBatch.Input {
  init(_ input: CheckedFeed.Input) {
    switch input {
    case .event(let record, let age):
      self.init(
        kind: .event, payload: record.data, age: age.map { [$0.lowerBound, $0.upperBound] })
    case .barePress(let identity):
      let payload = EventRecord(identity).data.prefix(EventIdentity.size)
      self.init(kind: .barePress, payload: payload, age: nil)
    case .heartbeat(let beat): self.init(kind: .heartbeat, payload: beat.data, age: nil)
    case .position(let fix): self.init(kind: .position, payload: fix.data, age: nil)
    case .relayed(let frame, let age):
      let kind: Kind =
        switch frame.type {
        case .proof: .proof
        case .heartbeat: .heartbeat
        case .gpsFix: .position
        default: .event
        }
      self.init(
        kind: kind, payload: Data(frame.payload), age: age.map { [$0.lowerBound, $0.upperBound] },
        head: frame.isSealed ? frame.head : nil,
        trailer: frame.isSealed ? Data(frame.trailer) : nil)
    }
  }

  func checked() throws(FeedRefusal) -> CheckedFeed.Input {
    let plain = try plain()
    let type: MessageType
    switch plain {
    case .event: type = .event
    case .heartbeat: type = .heartbeat
    case .position: type = .gpsFix
    case .barePress, .relayed: return plain
    }
    guard head != nil || trailer != nil else { return plain }
    guard let head, FrameHead(rawValue: head).isSealedOfThisVersion else {
      throw .malformed(field: "head", must: "that of a sealed frame, with trailer")
    }
    guard let trailer, trailer.count == SealTrailer.size,
      payload.count <= Limits.maxPayloadSize - SealTrailer.size
    else {
      throw .malformed(
        field: "trailer",
        must: "\(SealTrailer.size) bytes, behind a payload of"
          + " \(Limits.maxPayloadSize - SealTrailer.size) at the most")
    }
    return .relayed(
      RelayedFrame(
        head: head, rawType: type.rawValue, payload: Array(payload), trailer: Array(trailer)),
      age: try range())
  }

  /// The input without what seals it.
  private func plain() throws(FeedRefusal) -> CheckedFeed.Input {
    switch kind {
    case .proof:
      _ = try FeedBatch.read(Proof.self, payload, "payload")
      let head = FrameHead(resent: false).rawValue
      return .relayed(
        RelayedFrame(
          head: head, rawType: MessageType.proof.rawValue, payload: Array(payload), trailer: []),
        age: nil)
    case .event:
      return .event(try FeedBatch.read(EventRecord.self, payload, "payload"), age: try range())
    case .barePress:
      let bytes = [UInt8](payload)
      guard (EventIdentity.size...Limits.maxPayloadSize).contains(bytes.count) else {
        throw .malformed(field: "payload", must: "\(EventIdentity.size) bytes or more")
      }
      let identity = bytes.withUnsafeBytes { EventIdentity($0) }
      guard identity.kind == .pressed else {
        throw .malformed(field: "payload", must: "an event of kind pressed")
      }
      return .barePress(identity)
    case .heartbeat: return .heartbeat(try FeedBatch.read(Heartbeat.self, payload, "payload"))
    case .position: return .position(try FeedBatch.read(PositionFix.self, payload, "payload"))
    }
  }

  private func range() throws(FeedRefusal) -> ClosedRange<Int64>? {
    guard let age else { return nil }
    let bounds = -CheckedFeed.oldest...CheckedFeed.oldest
    guard age.count == 2, bounds.contains(age[0]), bounds.contains(age[1]), age[0] <= age[1] else {
      throw .malformed(field: "age", must: "two numbers of µs, the lesser first")
    }
    return age[0]...age[1]
  }
}

/// A signal as an event of the HTTP stream.
extension FeedSignal {
  private struct Clock: Codable { let clock: Int64 }

  /// A frame for a keychain: head and type as on the wire; payload, and trailer where it is sealed.
  private struct Frame: Codable {
    let line: Int
    let head: UInt8
    let type: UInt8
    let payload: Data
    let trailer: Data?

    init(_ line: Int, _ frame: RelayedFrame) {
      self.line = line
      head = frame.head
      type = frame.rawType
      payload = Data(frame.payload)
      trailer = frame.isSealed ? Data(frame.trailer) : nil
    }

    var frame: RelayedFrame {
      RelayedFrame(
        head: head, rawType: type, payload: Array(payload), trailer: Array(trailer ?? Data()))
    }
  }

  private struct Ack: Codable {
    let line: Int
    let ack: Data
  }

  /// The event's name, and its data as one line of JSON.
  public var event: (name: String, data: String) {
    func json(_ value: some Encodable) -> String {
      // Numbers, base64 and hexadecimal digits always have a JSON form.
      String(decoding: try! JSONEncoder().encode(value), as: UTF8.self)
    }
    return switch self {
    case .heartbeat(let clock): ("heartbeat", json(Clock(clock: clock)))
    case .ack(let line, let ack): ("ack", json(Ack(line: line, ack: ack.data)))
    case .indicate(let shown): ("indicate", json(shown))
    case .frame(let line, let frame): ("frame", json(Frame(line, frame)))
    }
  }

  /// Nil for a signal that this version does not know.
  init?(name: String, data: String) {
    func read<T: Decodable>(_ type: T.Type) -> T? {
      try? JSONDecoder().decode(type, from: Data(data.utf8))
    }
    switch name {
    case "heartbeat":
      guard let clock = read(Clock.self) else { return nil }
      self = .heartbeat(clock: clock.clock)
    case "ack":
      guard let said = read(Ack.self), let ack = EventAck(data: said.ack) else { return nil }
      self = .ack(line: said.line, ack)
    case "indicate":
      guard let shown = read(Shown.self) else { return nil }
      self = .indicate(shown)
    case "frame":
      guard let said = read(Frame.self) else { return nil }
      self = .frame(line: said.line, said.frame)
    default: return nil
    }
  }
}

extension FrameHead {
  /// The bit SEALED is set, and none that this version cannot read.
  fileprivate var isSealedOfThisVersion: Bool {
    isSealed && major == Self.version && !hasReservedBits
  }
}

extension Payload {
  /// The payload's bytes without a frame, as HTTP carries them.
  var data: Data {
    var body = FrameBody(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    write(to: &body)
    return body.withBytes { Data($0) }
  }
}

extension EventAck {
  /// Nil if the data is too short.
  init?(data: Data) {
    let bytes = [UInt8](data)
    guard bytes.count >= Self.size, let ack = bytes.withUnsafeBytes({ EventAck($0) }) else {
      return nil
    }
    self = ack
  }
}
