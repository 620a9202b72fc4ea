public import FobBase

extension EventIdentity {
  public static let size = 29
  /// Where the kind stands in it.
  static let kindOffset = 16

  public init(
    deviceID: DeviceID, number: EventNumber, kind: EventKind, clock: UInt64, bootNonce: UInt32
  ) {
    self.deviceID = deviceID
    self.number = number
    rawKind = kind.rawValue
    self.clock = clock
    self.bootNonce = bootNonce
  }

  /// - Parameter bytes: at least 29.
  public init(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    self.init(&r)
  }

  /// Nil for a kind that this version does not know.
  public var kind: EventKind? { EventKind(rawValue: rawKind) }

  /// CRC-32C of the 29 bytes: what EVENT_ACK must repeat.
  public var crc: UInt32 {
    var body = FrameBody()
    write(to: &body)
    return body.checksum
  }
}

extension EventPosition {
  public var isKnown: Bool { age != .max }
}

extension EventAck {
  public init(_ identity: EventIdentity) {
    self.init(number: identity.number, identityCRC: identity.crc)
  }
}
