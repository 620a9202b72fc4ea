import Glibc
public import SerialIO

/// A USB device that is there, or its serial port, as udev described it when it came. On removal
/// /sys has nothing left of it, so this copy is kept.
public struct AttachedDevice: Hashable, Sendable {
  /// Which of the two a value describes.
  public enum Kind: Hashable, Sendable {
    /// A serial port: subsystem `tty`, below a USB device.
    case port
    /// The device itself, as libusb opens it: subsystem `usb`, type `usb_device`.
    case device
  }

  /// Decides how a line to it is opened; see ``spec``.
  public let kind: Kind
  /// Its folder in /sys, which names it in udev's events.
  public let systemPath: String
  /// Like `/dev/ttyACM0` or `/dev/bus/usb/001/004`.
  public let node: String
  /// The symbolic links that udev keeps to the node; empty where no udevd runs.
  public var links: [String]
  /// Ids and serial number. udev writes `_` in the serial number for anything but a letter, a digit
  /// or one of `#+-.:=@_/`; without udevd it is the device's own text.
  public let address: USBAddress
  /// The folder in /sys of the interface that a port belongs to; nil for a device.
  public var interface: String?
  /// iManufacturer, the device's own text; nil where it has none.
  public var maker: String?
  /// iProduct, the device's own text; nil where it has none.
  public var product: String?
  /// The kernel's driver of a port, like `cdc_acm`; nil for a device.
  public var driver: String?
  /// Whether a udev rule marks it as a keychain (FOB_KEYCHAIN).
  public var isKeychain: Bool
  /// Whether a udev rule keeps ModemManager away (ID_MM_DEVICE_IGNORE).
  public var isKeptFromModemManager: Bool

  /// What is not given is missing, as where no udevd runs.
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

  /// The spec for `--device`, by the name that stays: ids and serial number.
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

  /// The drivers of a USB device's interfaces, by the names of their folders in /sys: `cdc_acm` for
  /// the kernel's serial port, `usbfs` for a program with libusb. A serial device without any has
  /// no port: a killed program took the driver off and could not give it back.
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
