/// The payload of one message: a fixed run of fields, to which later versions may only append.
public protocol Payload: Sendable {
  static var type: MessageType { get }
  /// Bytes of the known fields; a shorter payload is refused, the rest of a longer one ignored.
  static var size: Int { get }
  /// - Parameter bytes: at least `size` bytes.
  /// - Returns: nil when a field holds what the table does not allow.
  init?(_ bytes: UnsafeRawBufferPointer)
  func write(to body: inout FrameBody)
}

extension FrameBody {
  public init<P: Payload>(_ payload: P, sequence: UInt16, resent: Bool = false) {
    self.init(type: P.type, sequence: sequence, resent: resent)
    payload.write(to: &self)
  }
}

extension MessageType {
  /// A receiver may ignore it.
  public static func isOptional(_ type: UInt8) -> Bool { type >= 0x80 }
}

/// A set of bits in one byte. Not an `OptionSet`: that is built from array literals, and the
/// firmware allocates nothing.
public protocol BitFlags: Equatable, Sendable {
  var rawValue: UInt8 { get set }
  init(rawValue: UInt8)
}

extension BitFlags {
  public static var none: Self { Self(rawValue: 0) }

  public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  public mutating func insert(_ other: Self) { rawValue |= other.rawValue }
  public mutating func remove(_ other: Self) { rawValue &= ~other.rawValue }
}

extension Config {
  public init(key: ConfigKey, value: UInt32) {
    self.key = key.rawValue
    self.value = value
  }
}

extension TimeResponse {
  public init(to request: TimeRequest, receive: UInt64, send: UInt64, bootNonce: UInt32) {
    hostSend = request.hostSend
    deviceReceive = receive
    deviceSend = send
    self.bootNonce = bootNonce
    session = request.session
  }
}

extension LEDState {
  /// By what right the light shows what it shows: bits 1 and 2 of `flags`.
  public enum Source: UInt8, Sendable {
    case own = 0, lease, bench

    init(flags: UInt8) { self = flags & 4 != 0 ? .bench : flags & 2 != 0 ? .lease : .own }

    var flags: UInt8 { rawValue << 1 }
  }
}

extension ShownState {
  /// The others are the device's own.
  public var canBeIndicated: Bool { rawValue <= ShownState.identify.rawValue }
}

extension TraceFrame {
  /// The entries behind `first`; those of a code unknown here are left out.
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
  public static let maxInFrame = 14
}

/// Three bytes of HELLO.
public struct SoftwareVersion: Equatable, Sendable {
  public var major: UInt8
  public var minor: UInt8
  public var patch: UInt8

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
