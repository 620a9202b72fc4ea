/// The payload of one message: a fixed run of fields, to which later versions may only append.
public protocol Payload: Sendable {
  /// The message that carries this payload.
  static var type: MessageType { get }
  /// Bytes of the known fields; a shorter payload is refused, the rest of a longer one ignored.
  static var size: Int { get }
  /// - Parameter bytes: at least `size` bytes.
  /// - Returns: nil when a field holds a value that the table does not allow.
  init?(_ bytes: UnsafeRawBufferPointer)
  /// Appends all fields, integers in little endian; the caller has room for them.
  func write(to body: inout FrameBody)
}

extension FrameBody {
  /// A frame of `payload`; `resent` sets the bit RESENT of its head.
  public init<P: Payload>(_ payload: P, sequence: UInt16, resent: Bool = false) {
    self.init(type: P.type, sequence: sequence, resent: resent)
    payload.write(to: &self)
  }
}

extension MessageType {
  /// Whether a receiver may ignore a message of this type: 80 and above. It rejects any other that
  /// it does not know.
  public static func isOptional(_ type: UInt8) -> Bool { type >= 0x80 }
}

/// A set of bits in one byte. Not an `OptionSet`: that is built from array literals, and the
/// firmware allocates nothing.
public protocol BitFlags: Equatable, Sendable {
  /// The byte on the wire, with bits that have no name here, too.
  var rawValue: UInt8 { get set }
  /// Takes any byte.
  init(rawValue: UInt8)
}

extension BitFlags {
  /// No bit is set.
  public static var none: Self { Self(rawValue: 0) }

  /// Whether all bits of `other` are set; true for `none`.
  public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  /// Sets all bits of `other`.
  public mutating func insert(_ other: Self) { rawValue |= other.rawValue }
  /// Clears all bits of `other`.
  public mutating func remove(_ other: Self) { rawValue &= ~other.rawValue }
}

extension Config {
  /// Sets a key that this version knows; `value` is in its unit.
  public init(key: ConfigKey, value: UInt32) {
    self.key = key.rawValue
    self.value = value
  }
}

extension Hello {
  /// SEAL, a bit of `capabilities`: the sender knows sealed frames (PROTOCOL.md, 15).
  public static let seals: UInt32 = 1
  /// PAIRED, a bit of `capabilities`: the device has a key. Anybody may say so.
  public static let isPaired: UInt32 = 2
  /// NO_BATTERY, a bit of `capabilities`: the device has none, and so no level (PROTOCOL.md, 10).
  public static let hasNoBattery: UInt32 = 4
  /// NO_GPS, a bit of `capabilities`: the device has no receiver (PROTOCOL.md, 10).
  public static let hasNoGPS: UInt32 = 8
}

extension Heartbeat {
  /// Charge of the battery in per cent; nil where the device does not know it, or says a number
  /// that is none.
  public var charge: UInt8? { batteryPercent <= 100 ? batteryPercent : nil }
}

extension TimeResponse {
  /// Answers a request, within its session.
  /// - Parameters:
  ///   - request: the host's clock and session are repeated from it.
  ///   - receive: device clock when the request was read, µs.
  ///   - send: device clock when the answer is made, µs.
  ///   - bootNonce: made anew by the board at each boot.
  public init(to request: TimeRequest, receive: UInt64, send: UInt64, bootNonce: UInt32) {
    hostSend = request.hostSend
    deviceReceive = receive
    deviceSend = send
    self.bootNonce = bootNonce
    session = request.session
  }
}

extension LEDState {
  /// Why the light shows what it shows: the device itself, a lease of INDICATE, or LED_SET of a
  /// bench. Bits 1 and 2 of `flags`.
  public enum Source: UInt8, Sendable {
    case own = 0, lease, bench

    init(flags: UInt8) { self = flags & 4 != 0 ? .bench : flags & 2 != 0 ? .lease : .own }

    var flags: UInt8 { rawValue << 1 }
  }
}

extension ShownState {
  /// Whether a host may ask for this state. The others are chosen by the device alone.
  public var canBeIndicated: Bool { rawValue <= ShownState.identify.rawValue }
}

extension TraceFrame {
  /// Hands `take` the entries behind `first`, each with its index. Entries of a code that is
  /// unknown here are left out, and their indexes with them. `payload` is that of TRACE, at least
  /// `size` bytes.
  public static func entries(
    _ payload: UnsafeRawBufferPointer, _ take: (_ index: UInt32, TraceEntry) -> Void
  ) {
    var r = ByteReader(payload)
    let first: UInt32 = r.next()
    for i in 0..<(payload.count - size) / TraceEntry.size {
      if let entry = TraceEntry(&r) { take(first &+ UInt32(i), entry) }
    }
  }
}

extension TraceEntry {
  /// Entries that fit into one frame.
  public static let maxInFrame = 14
}

/// The version of the software at one end of the link: three bytes of HELLO.
public struct SoftwareVersion: Equatable, Sendable {
  /// First byte.
  public var major: UInt8
  /// Second byte.
  public var minor: UInt8
  /// Third byte.
  public var patch: UInt8

  /// Any three bytes: nothing is compared or refused by them.
  public init(major: UInt8, minor: UInt8, patch: UInt8) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  init(_ r: inout ByteReader) { self.init(major: r.next(), minor: r.next(), patch: r.next()) }

  func write(to body: inout FrameBody) {
    body.append(major)
    body.append(minor)
    body.append(patch)
  }
}
