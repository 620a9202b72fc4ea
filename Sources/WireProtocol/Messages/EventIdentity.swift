public import FobBase

/// What makes an event this event and no other: the first 29 bytes of EVENT, frozen for all major
/// versions. The same number with another clock or boot nonce is another event.
public struct EventIdentity: Hashable, Sendable {
  public static let size = 29
  /// Where the kind stands in it.
  static let kindOffset = 16

  public var deviceID: DeviceID
  public var number: EventNumber
  /// As sent; `kind` is nil for a kind that this version does not know.
  public var rawKind: UInt8
  /// Device clock at the first edge, µs since boot.
  public var clock: UInt64
  public var bootNonce: UInt32

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
    deviceID = DeviceID(rawValue: r.next())
    number = EventNumber(rawValue: r.next())
    rawKind = r.next()
    clock = r.next()
    bootNonce = r.next()
  }

  public var kind: EventKind? { EventKind(rawValue: rawKind) }

  /// CRC-32C of the 29 bytes: what EVENT_ACK must repeat.
  public var crc: UInt32 {
    var body = FrameBody()
    write(to: &body)
    return body.checksum
  }

  func write(to body: inout FrameBody) {
    body.append(deviceID.rawValue)
    body.append(number.rawValue)
    body.append(rawKind)
    body.append(clock)
    body.append(bootNonce)
  }
}

public enum EventKind: UInt8, Sendable {
  case pressed = 1, released, booted, batteryLow, batteryCritical, batteryRecovered, fault
}

public enum FaultCode: UInt8, Sendable {
  case storeFailed = 1, pressesMerged, buttonStuck, identityChanged, bootCounterLost
}
