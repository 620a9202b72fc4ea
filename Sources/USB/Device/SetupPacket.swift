/// The eight bytes that begin a control transfer, little-endian (USB 2.0, 9.3).
public struct SetupPacket: Hashable, Sendable {
  public enum Kind: UInt8, Sendable { case standard = 0, classSpecific, vendor, reserved }
  public enum Recipient: UInt8, Sendable { case device = 0, interface, endpoint, other }

  /// bmRequestType.
  public var requestType: UInt8
  public var request: UInt8
  public var value: UInt16
  public var index: UInt16
  public var length: UInt16

  public init(
    requestType: UInt8 = 0, request: UInt8 = 0, value: UInt16 = 0, index: UInt16 = 0,
    length: UInt16 = 0
  ) {
    self.requestType = requestType
    self.request = request
    self.value = value
    self.index = index
    self.length = length
  }

  /// - Parameter bytes: eight.
  init(_ bytes: UnsafeRawBufferPointer) {
    requestType = bytes[0]
    request = bytes[1]
    value = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
    index = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
    length = UInt16(bytes[6]) | UInt16(bytes[7]) << 8
  }

  public var isIn: Bool { requestType & 0x80 != 0 }
  public var kind: Kind { Kind(rawValue: requestType >> 5 & 3) ?? .reserved }
  /// Nil: reserved.
  public var recipient: Recipient? { Recipient(rawValue: requestType & 0x1F) }

  public var bytes: [UInt8] {
    [requestType, request]
      + [value, index, length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
