/// Who a device says that it is.
public struct USBIdentity: Hashable, Sendable {
  public var vendor: UInt16
  public var product: UInt16
  /// bcdDevice: 0x0100 is 1.0.0.
  public var release: UInt16
  /// iManufacturer, at most 126 UTF-16 units, as the next two.
  public var manufacturer: String
  /// iProduct.
  public var name: String
  /// iSerialNumber.
  public var serial: String

  public init(
    vendor: UInt16, product: UInt16, release: UInt16 = 0x0100, manufacturer: String,
    name: String, serial: String
  ) {
    self.vendor = vendor
    self.product = product
    self.release = release
    self.manufacturer = manufacturer
    self.name = name
    self.serial = serial
  }

  /// The ids of a keychain alone say nothing: pid.codes lends them to everybody for tests.
  public static let keychainName = "fob keychain"

  /// Of a keychain: 1209:0001, which pid.codes keeps for tests. A product has an id of its own.
  public static func keychain(serial: String) -> USBIdentity {
    USBIdentity(
      vendor: 0x1209, product: 0x0001, manufacturer: "fob", name: keychainName, serial: serial)
  }
}

/// How fast a device speaks, by the numbers of USB/IP and of the kernel's `enum usb_device_speed`.
public enum USBSpeed: UInt32, Hashable, Sendable, CaseIterable {
  /// 12 Mbit/s: bulk packets of at most 64 bytes.
  case full = 2
  /// 480 Mbit/s: bulk packets of 512 bytes.
  case high = 3

  /// wMaxPacketSize of a bulk endpoint, bytes (USB 2.0, 5.8.3).
  public var bulkPacket: Int { self == .full ? 64 : 512 }
}
