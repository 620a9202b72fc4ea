import FobBase

/// A USB device as a spec names it: vendor and product id, and a serial number where several of the
/// same kind are plugged in.
///
/// Its description is the part of a spec behind `usb:` or `tty:`, as in `1209:0001:ABC`.
public struct USBAddress: Hashable, Sendable, CustomStringConvertible {
  /// idVendor.
  public var vendor: UInt16
  /// idProduct.
  public var product: UInt16
  /// iSerialNumber, printable ASCII without blanks; nil: any serial number, or none.
  public var serial: String?

  /// Without a serial number: any device with these ids.
  public init(vendor: UInt16, product: UInt16, serial: String? = nil) {
    self.vendor = vendor
    self.product = product
    self.serial = serial
  }

  /// The same ids with this serial number.
  public func with(serial: String?) -> USBAddress {
    USBAddress(vendor: vendor, product: product, serial: serial)
  }

  /// Whether this address means a device with these numbers.
  public func matches(vendor: UInt16, product: UInt16, serial: String?) -> Bool {
    self.vendor == vendor && self.product == product
      && (self.serial == nil || self.serial == serial)
  }

  /// Four hexadecimal digits, as udev and lsusb write them.
  public static func digits(_ number: UInt16) -> String {
    Hex.text(UInt64(number), digits: 4)
  }

  public var description: String {
    "\(Self.digits(vendor)):\(Self.digits(product))" + (serial.map { ":\($0)" } ?? "")
  }
}
