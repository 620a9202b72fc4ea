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
