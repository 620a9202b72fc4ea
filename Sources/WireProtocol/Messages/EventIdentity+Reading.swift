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
}

extension EventPosition {
  public var isKnown: Bool { age != .max }
}

extension EventAck {
  /// It repeats the CRC of the identity.
  public init(_ identity: EventIdentity) {
    self.init(number: identity.number, identityCRC: identity.crc)
  }
}
