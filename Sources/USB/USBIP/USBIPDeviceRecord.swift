/// A device in a USB/IP server's replies: `usbip_usb_device`, 312 bytes (the Linux kernel's
/// Documentation/usb/usbip_protocol.rst).
public struct USBIPDeviceRecord: Hashable, Sendable {
  /// Bytes of a record.
  public static let size = 312
  static let pathField = 256
  static let busIDField = 32

  /// A path on the server, for people to read: at most 255 bytes.
  public var path: String
  /// Names the device in an import, as in `1-1`: at most 31 bytes.
  public var busID: String
  /// Number of the server's bus, the upper half of ``deviceID``.
  public var busNumber: UInt32
  /// Number of the device on that bus, the lower 16 bits of ``deviceID``.
  public var deviceNumber: UInt32
  /// A number of `enum usb_device_speed`, unchecked; ``USBSpeed`` has those of a keychain.
  public var speed: UInt32
  /// idVendor.
  public var vendor: UInt16
  /// idProduct.
  public var product: UInt16
  /// bcdDevice.
  public var release: UInt16
  /// bDeviceClass.
  public var deviceClass: UInt8
  /// bDeviceSubClass.
  public var deviceSubclass: UInt8
  /// bDeviceProtocol.
  public var deviceProtocol: UInt8
  /// bConfigurationValue that is set; 0: none.
  public var configuration: UInt8
  /// bNumConfigurations.
  public var configurations: UInt8
  /// bNumInterfaces: how many ``USBIPInterface`` follow in a device list; an import has none.
  public var interfaces: UInt8

  /// A record with one configuration that is not set, unless said otherwise.
  public init(
    path: String, busID: String, busNumber: UInt32, deviceNumber: UInt32, speed: USBSpeed,
    vendor: UInt16, product: UInt16, release: UInt16, deviceClass: UInt8 = 0,
    deviceSubclass: UInt8 = 0, deviceProtocol: UInt8 = 0, configuration: UInt8 = 0,
    configurations: UInt8 = 1, interfaces: UInt8 = 0
  ) {
    self.path = path
    self.busID = busID
    self.busNumber = busNumber
    self.deviceNumber = deviceNumber
    self.speed = speed.rawValue
    self.vendor = vendor
    self.product = product
    self.release = release
    self.deviceClass = deviceClass
    self.deviceSubclass = deviceSubclass
    self.deviceProtocol = deviceProtocol
    self.configuration = configuration
    self.configurations = configurations
    self.interfaces = interfaces
  }

  /// Nil for fewer bytes than ``size``; bytes behind them are ignored.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size else { return nil }
    var r = NetworkReader(bytes)
    path = r.text(field: Self.pathField)
    busID = r.text(field: Self.busIDField)
    busNumber = r.next()
    deviceNumber = r.next()
    speed = r.next()
    vendor = r.next()
    product = r.next()
    release = r.next()
    deviceClass = r.next()
    deviceSubclass = r.next()
    deviceProtocol = r.next()
    configuration = r.next()
    configurations = r.next()
    interfaces = r.next()
  }

  /// Names an imported device in its URBs: bus number in the upper half, device number in the
  /// lower.
  public var deviceID: UInt32 { busNumber << 16 | deviceNumber & 0xFFFF }

  /// Appends ``size`` bytes. A path or bus id that is too long is cut off.
  public func write(to bytes: inout [UInt8]) {
    bytes.appendText(path, field: Self.pathField)
    bytes.appendText(busID, field: Self.busIDField)
    bytes.appendNetwork(busNumber)
    bytes.appendNetwork(deviceNumber)
    bytes.appendNetwork(speed)
    bytes.appendNetwork(vendor)
    bytes.appendNetwork(product)
    bytes.appendNetwork(release)
    bytes += [
      deviceClass, deviceSubclass, deviceProtocol, configuration, configurations, interfaces,
    ]
  }
}

/// An interface in a device list, 4 bytes: its class, and one byte of padding.
public struct USBIPInterface: Hashable, Sendable {
  /// Bytes of an interface.
  public static let size = 4

  /// bInterfaceClass.
  public var interfaceClass: UInt8
  /// bInterfaceSubClass.
  public var interfaceSubclass: UInt8
  /// bInterfaceProtocol.
  public var interfaceProtocol: UInt8

  /// The three class numbers (USB 2.0, 9.6.5).
  public init(interfaceClass: UInt8, interfaceSubclass: UInt8, interfaceProtocol: UInt8) {
    self.interfaceClass = interfaceClass
    self.interfaceSubclass = interfaceSubclass
    self.interfaceProtocol = interfaceProtocol
  }

  /// Nil for fewer bytes than ``size``.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size else { return nil }
    interfaceClass = bytes[0]
    interfaceSubclass = bytes[1]
    interfaceProtocol = bytes[2]
  }

  /// Appends ``size`` bytes.
  public func write(to bytes: inout [UInt8]) {
    bytes += [interfaceClass, interfaceSubclass, interfaceProtocol, 0]
  }
}
