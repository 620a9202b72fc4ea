/// What a device's descriptors say about it: ids, release and three texts (USB 2.0, 9.6.1).
public struct USBIdentity: Hashable, Sendable {
  /// idVendor, given out by the USB-IF.
  public var vendor: UInt16
  /// idProduct, given out by the owner of the vendor id.
  public var product: UInt16
  /// bcdDevice: 0x0100 is 1.0.0.
  public var release: UInt16
  /// iManufacturer. A string descriptor holds 126 UTF-16 units; the rest is cut off.
  public var manufacturer: String
  /// iProduct, with the limit of ``manufacturer``.
  public var name: String
  /// iSerialNumber, with the limit of ``manufacturer``.
  public var serial: String

  /// The release is 1.0.0 unless said otherwise.
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

  /// The name that tells a keychain apart: its ids are those that pid.codes lends to everybody for
  /// tests.
  public static let keychainName = "fob keychain"

  /// A keychain's identity: 1209:0001, which pid.codes keeps for tests. A product needs ids of its
  /// own.
  public static func keychain(serial: String) -> USBIdentity {
    USBIdentity(
      vendor: 0x1209, product: 0x0001, manufacturer: "fob", name: keychainName, serial: serial)
  }
}

/// A device's bus speed. Raw values are those of USB/IP and of the kernel's `enum
/// usb_device_speed`.
public enum USBSpeed: UInt32, Hashable, Sendable, CaseIterable {
  /// 12 Mbit/s: bulk packets of at most 64 bytes.
  case full = 2
  /// 480 Mbit/s: bulk packets of 512 bytes.
  case high = 3

  /// wMaxPacketSize of a bulk endpoint, bytes (USB 2.0, 5.8.3).
  public var bulkPacket: Int { self == .full ? 64 : 512 }
}
