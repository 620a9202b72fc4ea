/// One entry of the device's trace ring, 17 bytes in a TRACE (51) frame.
public struct TraceEntry: Equatable, Sendable {
  public static let size = 17
  public static let mostInFrame = 14

  public enum Code: UInt8, Sendable {
    case edgeClosed = 1, edgeOpen, eventCommitted, eventWritten, eventAcked, stateShown, booted
    case storeFailed, damaged
  }

  /// Device clock, µs since boot.
  public var clock: UInt64
  public var code: Code
  /// Event entries: the number. Shown: state, detail << 8, sounder << 16. Booted: the reset cause.
  public var argument: UInt64

  public init(clock: UInt64, code: Code, argument: UInt64) {
    self.clock = clock
    self.code = code
    self.argument = argument
  }

  init?(_ r: inout ByteReader) {
    clock = r.next()
    let code = Code(rawValue: r.next())
    argument = r.next()
    guard let code else { return nil }
    self.code = code
  }

  public func write(to body: inout FrameBody) {
    body.append(clock)
    body.append(code.rawValue)
    body.append(argument)
  }
}

/// TRACE (51): from the host the index of the first entry wanted; from the device that index and
/// what the ring still holds from there on, at most 14 entries.
public struct TraceFrame: Payload, Equatable {
  public static let type = MessageType.trace
  public static let size = 4

  public var first: UInt32

  public init(first: UInt32) { self.first = first }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    first = r.next()
  }

  public func write(to body: inout FrameBody) { body.append(first) }

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
