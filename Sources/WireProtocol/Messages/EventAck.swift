public import FobBase

/// EVENT_ACK (11): committed by the core that runs the engine; forget it.
public struct EventAck: Payload, Hashable {
  public static let type = MessageType.eventAck
  public static let size = 12

  public var number: EventNumber
  /// CRC-32C of the event's frozen 29 bytes.
  public var identityCRC: UInt32

  public init(number: EventNumber, identityCRC: UInt32) {
    self.number = number
    self.identityCRC = identityCRC
  }

  public init(_ identity: EventIdentity) {
    self.init(number: identity.number, identityCRC: identity.crc)
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    number = EventNumber(rawValue: r.next())
    identityCRC = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(number.rawValue)
    body.append(identityCRC)
  }
}
