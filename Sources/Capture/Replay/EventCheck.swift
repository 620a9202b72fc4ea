import FobBase
import WireProtocol

/// What names an event for good: the frozen bytes of its frame, and their CRC, which an ack
/// carries.
enum EventCheck {
  /// - Parameter body: of an EVENT; nil where it is too short.
  static func identity(_ body: [UInt8]) -> [UInt8]? {
    let end = FrameEdit.headSize + EventIdentity.size
    return body.count >= end ? Array(body[FrameEdit.headSize..<end]) : nil
  }

  static func of(_ identity: [UInt8]) -> UInt64 {
    UInt64(identity.withUnsafeBytes { CRC32C.of($0) })
  }
}
