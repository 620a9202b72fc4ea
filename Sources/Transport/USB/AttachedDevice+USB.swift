import Glibc
public import SerialIO

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
