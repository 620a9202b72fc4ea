/// REJECT (05): a frame was whole but is not understood. Never answered, so that two ends cannot
/// keep rejecting each other.
public struct Reject: Payload, Equatable {
  public static let type = MessageType.reject
  public static let size = 4

  public enum Reason: UInt8, Sendable {
    case unknownType = 1, version, tooShort, reservedBits, badValue, notNow
  }

  public var rejectedType: UInt8
  public var reason: Reason
  public var rejectedSequence: UInt16

  public init(type: UInt8, reason: Reason, sequence: UInt16) {
    rejectedType = type
    self.reason = reason
    rejectedSequence = sequence
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    rejectedType = r.next()
    guard let reason = Reason(rawValue: r.next()) else { return nil }
    self.reason = reason
    rejectedSequence = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(rejectedType)
    body.append(reason.rawValue)
    body.append(rejectedSequence)
  }
}
