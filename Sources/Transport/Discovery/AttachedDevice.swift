import Glibc
public import SerialIO

/// A USB device that is plugged in, or the serial port that the kernel gives one, as udev told of
/// it when it came. On removal /sys is no longer to be asked, so what was told then is kept.
public struct AttachedDevice: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A serial port: subsystem `tty`, below a USB device.
    case port
    /// The device itself, as libusb opens it: subsystem `usb`, type `usb_device`.
    case device
  }

  public let kind: Kind
  /// Its folder in /sys, by which udev tells of it.
  public let systemPath: String
  /// Like `/dev/ttyACM0` or `/dev/bus/usb/001/004`.
  public let node: String
  /// The symbolic links that udev keeps to the node; none where no udevd runs.
  public var links: [String]
  /// The serial number as udev writes it: what is not a letter, a digit or one of `#+-.:=@_/`
  /// is `_` there. Without udevd it is the device's own.
  public let address: USBAddress
  /// The folder in /sys of the interface that a port belongs to; nil for a device.
  public var interface: String?
  /// Manufacturer and product in the device's own words.
  public var maker: String?
  public var product: String?
  /// Of the kernel, like `cdc_acm`.
  public var driver: String?
  /// A udev rule calls it a keychain: FOB_KEYCHAIN.
  public var isKeychain: Bool
  /// A udev rule keeps ModemManager away: ID_MM_DEVICE_IGNORE.
  public var isKeptFromModemManager: Bool

  public init(
    _ kind: Kind, systemPath: String, node: String, links: [String] = [], address: USBAddress,
    interface: String? = nil, maker: String? = nil, product: String? = nil, driver: String? = nil,
    isKeychain: Bool = false, isKeptFromModemManager: Bool = false
  ) {
    self.kind = kind
    self.systemPath = systemPath
    self.node = node
    self.links = links
    self.address = address
    self.interface = interface
    self.maker = maker
    self.product = product
    self.driver = driver
    self.isKeychain = isKeychain
    self.isKeptFromModemManager = isKeptFromModemManager
  }

  /// What to give to `--device`, by the name that stays: ids and serial number.
  public var spec: DeviceSpec {
    switch kind {
    case .port: DeviceSpec(.tty(address))
    case .device: DeviceSpec(.usb(address))
    }
  }
}

extension AttachedDevice {
  /// The one USB device that an address means, as libusb opens it.
  /// - Throws: `IOFailure` with ENODEV where none is plugged in, ENOTUNIQ where several are.
  public static func find(_ address: USBAddress) throws(IOFailure) -> AttachedDevice {
    var board = HotplugTable()
    _ = board.handle(.all(try HotplugMonitor.devices(.device)))
    do throws(IOFailure) {
      return try board.only(address)
    } catch {
      throw IOFailure("find", errno: error.errno, path: "usb:\(address)", reason: error.reason)
    }
  }

  /// The drivers of a USB device's interfaces, by the interfaces' folders in /sys: `cdc_acm` for
  /// the kernel's serial port, `usbfs` for a program with libusb. Without any, a serial device has
  /// no port: a program that was killed took the driver off and could not give it back.
  public var interfaceDrivers: [String: String] {
    let name = systemPath.split(separator: "/").last.map(String.init) ?? ""
    guard let stream = opendir(systemPath) else { return [:] }
    defer { closedir(stream) }
    var drivers: [String: String] = [:]
    while let entry = readdir(stream) {
      let part = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // As in 1-1.2:1.0: the device, the configuration's number, the interface's.
      guard part.hasPrefix("\(name):"), let driver = Self.driver("\(systemPath)/\(part)") else {
        continue
      }
      drivers[part] = driver
    }
    return drivers
  }

  private static func driver(_ folder: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
      let count = readlink("\(folder)/driver", buffer.baseAddress!, buffer.count)
      guard count > 0 else { return nil }
      let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return path.split(separator: "/").last.map(String.init)
    }
  }
}
