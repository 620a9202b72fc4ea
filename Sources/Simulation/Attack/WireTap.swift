import FobBase
import WireProtocol

/// What the attacker has read on one keychain's line.
struct WireTap {
  /// A frame as it went over the wire, its delimiter included.
  struct Frame {
    let bytes: [UInt8]
    /// Without its CRC; empty where it is damaged.
    let body: [UInt8]

    var rawType: UInt8? { body.count >= 4 ? body[1] : nil }
    var isSealed: Bool { body.count >= 4 + SealTrailer.size && body[0] & 8 != 0 }

    func isOf(_ types: MessageType...) -> Bool { types.contains { $0.rawValue == rawType } }

    /// A number in little endian, so many bytes before the end of the body.
    func word(fromEnd distance: Int) -> UInt32 {
      let at = body.count - distance
      return (0..<4).reduce(0) { $0 | UInt32(body[at + $1]) << (8 * UInt32($1)) }
    }

    /// Without what seals it.
    var payload: [UInt8] {
      Array(body.dropFirst(4).dropLast(isSealed ? SealTrailer.size : 0))
    }

    /// The message, where it is whole and of this type.
    func read<P: Payload>(_ type: P.Type) -> P? {
      guard rawType == P.type.rawValue, payload.count >= P.size else { return nil }
      return payload.withUnsafeBytes { P($0) }
    }
  }

  struct Recorded {
    let frame: Frame
    let way: WireWay
    /// Counted from the first that he has seen.
    let boot: Int
    /// Since that boot.
    let after: Interval
  }

  private static let most = 600
  private static let mostEvents = 16

  /// Of each direction, what a frame that is not whole has so far, and what was read last.
  private struct Way {
    var partial: [UInt8] = []
    var sequence: UInt16 = 0
    var counter: UInt32 = 0
  }

  private var toHost = Way()
  private var toDevice = Way()
  private(set) var recorded: [Recorded] = []
  private(set) var boot = 0
  private(set) var bootedAt = Instant(microseconds: 0)
  /// The keychain's last HELLO.
  private(set) var hello: Hello?
  /// The session of the host's last HELLO.
  private(set) var hostSession: UInt32 = 1
  /// The last events, oldest first.
  private(set) var events: [EventIdentity] = []
  private(set) var revision: UInt32 = 0
  /// The keychain's clock as it was sealed last.
  private(set) var sealClock: UInt32 = 0

  /// Forgets frames of which only a part has come.
  mutating func cut() {
    toHost.partial = []
    toDevice.partial = []
  }

  func sequence(_ way: WireWay) -> UInt16 { way == .toHost ? toHost.sequence : toDevice.sequence }
  func counter(_ way: WireWay) -> UInt32 { way == .toHost ? toHost.counter : toDevice.counter }

  private mutating func change(_ way: WireWay, _ change: (inout Way) -> Void) {
    if way == .toHost { change(&toHost) } else { change(&toDevice) }
  }

  /// Takes bytes of one end.
  /// - Returns: the frames that are whole by them.
  mutating func read(_ bytes: UnsafeRawBufferPointer, _ way: WireWay, at now: Instant) -> [Frame] {
    var frames: [Frame] = []
    var rest = way == .toHost ? toHost.partial : toDevice.partial
    for byte in bytes {
      rest.append(byte)
      guard byte == 0 else { continue }
      frames.append(Frame(bytes: rest, body: Self.body(of: rest)))
      rest = []
    }
    change(way) { $0.partial = rest }
    for frame in frames where !frame.body.isEmpty { learn(frame, way, at: now) }
    return frames
  }

  private static func body(of wire: [UInt8]) -> [UInt8] {
    var decoder = FrameDecoder()
    return wire.withUnsafeBytes { wire in
      var chunk = wire
      return decoder.next(&chunk) == .frame ? decoder.withBody { Array($0) } : []
    }
  }

  private mutating func learn(_ frame: Frame, _ way: WireWay, at now: Instant) {
    if let heard = frame.read(Hello.self) {
      if way == .toDevice {
        hostSession = heard.session
      } else {
        if heard.session == 0, hello?.bootNonce != heard.bootNonce {
          boot += 1
          bootedAt = now
        }
        hello = heard
      }
    }
    if let record = frame.read(EventRecord.self), !events.contains(record.identity) {
      events.append(record.identity)
      if events.count > Self.mostEvents { events.removeFirst() }
    }
    if let indicate = frame.read(Indicate.self) { revision = indicate.revision }
    let sequence = UInt16(frame.body[2]) | UInt16(frame.body[3]) << 8
    change(way) { $0.sequence = sequence }
    if frame.isSealed {
      let (clock, counter) = (frame.word(fromEnd: 16), frame.word(fromEnd: 12))
      if way == .toHost { sealClock = clock }
      if counter > 0 { change(way) { $0.counter = counter } }
    }
    if recorded.count == Self.most { recorded.removeFirst(Self.most / 4) }
    recorded.append(Recorded(frame: frame, way: way, boot: boot, after: now - bootedAt))
  }

  /// The keychain's clock as far as he can tell, µs.
  func clock(at now: Instant) -> UInt64 { UInt64(max(0, (now - bootedAt).microseconds)) }
}
