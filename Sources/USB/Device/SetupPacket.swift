/// The eight bytes that begin a control transfer, little-endian (USB 2.0, 9.3).
public struct SetupPacket: Hashable, Sendable {
  /// bmRequestType, bits 6 and 5: who defines the request.
  public enum Kind: UInt8, Sendable { case standard = 0, classSpecific, vendor, reserved }
  /// bmRequestType, bits 4 to 0: which part of the device is meant.
  public enum Recipient: UInt8, Sendable { case device = 0, interface, endpoint, other }

  /// bmRequestType: direction, kind and recipient; see ``isIn``, ``kind`` and ``recipient``.
  public var requestType: UInt8
  /// bRequest; its meaning depends on ``kind``.
  public var request: UInt8
  /// wValue; its meaning depends on the request.
  public var value: UInt16
  /// wIndex: often an interface or endpoint, for a string its language.
  public var index: UInt16
  /// wLength: bytes of the data stage, or the most that an IN transfer may bring.
  public var length: UInt16

  /// All zeros by default, as in an URB that is no control transfer.
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

  /// Whether the data stage goes to the host.
  public var isIn: Bool { requestType & 0x80 != 0 }
  /// Who defines the request.
  public var kind: Kind { Kind(rawValue: requestType >> 5 & 3) ?? .reserved }
  /// Which part of the device is meant; nil for a reserved number.
  public var recipient: Recipient? { Recipient(rawValue: requestType & 0x1F) }

  /// The eight bytes as they go over the wire, little-endian.
  public var bytes: [UInt8] {
    [requestType, request]
      + [value, index, length].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
