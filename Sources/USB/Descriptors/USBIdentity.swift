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

extension USBIdentity {
  /// What a host sees in front of a keychain.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The keychain itself.
    case keychain
    /// The debugger of a BBC micro:bit of version 1: the ids of every board with DAPLink, and a
    /// serial number of 48 digits that begins with the board's id, 9900. Its drive and its debug
    /// port are not there.
    case microbit

    /// What the descriptors of a keychain say.
    /// - Parameter device: its id as text, 16 digits; part of the serial number.
    public func identity(of device: String) -> USBIdentity {
      switch self {
      case .keychain: .keychain(serial: device)
      case .microbit:
        USBIdentity(
          vendor: 0x0D28, product: 0x0204, manufacturer: "ARM", name: "BBC micro:bit CMSIS-DAP",
          serial: "9900000037024e45\(device)0000000097969901")
      }
    }
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
