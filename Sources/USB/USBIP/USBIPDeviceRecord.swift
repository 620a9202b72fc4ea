/// A device as USB/IP's server tells of it: `usbip_usb_device`, 312 bytes (the Linux kernel's
/// Documentation/usb/usbip_protocol.rst).
public struct USBIPDeviceRecord: Hashable, Sendable {
  /// Bytes.
  public static let size = 312
  static let pathField = 256
  static let busIDField = 32

  /// Of the server's, for people to read: at most 255 bytes.
  public var path: String
  /// By which it is imported, as in `1-1`: at most 31 bytes.
  public var busID: String
  public var busNumber: UInt32
  public var deviceNumber: UInt32
  /// As the server says it; ``USBSpeed`` has those that a keychain knows.
  public var speed: UInt32
  public var vendor: UInt16
  public var product: UInt16
  /// bcdDevice.
  public var release: UInt16
  public var deviceClass: UInt8
  public var deviceSubclass: UInt8
  public var deviceProtocol: UInt8
  /// The configuration that is set; 0: none.
  public var configuration: UInt8
  public var configurations: UInt8
  public var interfaces: UInt8

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

  /// Nil for fewer bytes than ``size``; those behind are not looked at.
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

  /// By which the URBs of an imported device name it: bus and device number.
  public var deviceID: UInt32 { busNumber << 16 | deviceNumber & 0xFFFF }

  /// ``size`` bytes. A path or bus id that is too long is cut off.
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

/// An interface as DEVLIST tells of it, 4 bytes: its class, and one byte of padding.
public struct USBIPInterface: Hashable, Sendable {
  /// Bytes.
  public static let size = 4

  public var interfaceClass: UInt8
  public var interfaceSubclass: UInt8
  public var interfaceProtocol: UInt8

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

  public func write(to bytes: inout [UInt8]) {
    bytes += [interfaceClass, interfaceSubclass, interfaceProtocol, 0]
  }
}
