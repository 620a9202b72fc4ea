public import FobBase

extension EventIdentity {
  /// Bytes on the wire, in every major version.
  public static let size = 29
  /// Offset of the kind on the wire, in bytes.
  static let kindOffset = 16

  /// - Parameters:
  ///   - deviceID: the device that made the event.
  ///   - number: `boot << 32 | n`, with n from 1 in each boot.
  ///   - kind: one that this version knows.
  ///   - clock: device clock when it began, for a press at the first edge, µs.
  ///   - bootNonce: made anew by the board at each boot.
  public init(
    deviceID: DeviceID, number: EventNumber, kind: EventKind, clock: UInt64, bootNonce: UInt32
  ) {
    self.deviceID = deviceID
    self.number = number
    rawKind = kind.rawValue
    self.clock = clock
    self.bootNonce = bootNonce
  }

  /// Reads the frozen bytes; any are an identity.
  /// - Parameter bytes: at least 29.
  public init(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    self.init(&r)
  }

  /// Nil for a kind that this version does not know.
  public var kind: EventKind? { EventKind(rawValue: rawKind) }
}

extension EventPosition {
  /// Whether there ever was a fix.
  public var isKnown: Bool { age != .max }
}

extension EventAck {
  /// Acks the event of this identity, by its number and the CRC of its 29 bytes.
  public init(_ identity: EventIdentity) {
    self.init(number: identity.number, identityCRC: identity.crc)
  }
}
