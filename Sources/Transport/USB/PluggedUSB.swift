import Glibc
public import SerialIO

/// A USB device that is plugged in, as sysfs tells of it: nothing is opened or asked for that.
///
/// The serial number is the kernel's copy of iSerialNumber, the one that udev reads too. So it is
/// known of devices that may not be opened, and no device is disturbed in the search for another.
public struct PluggedUSB: Hashable, Sendable {
  /// As in `1-1.2`: the bus, and the ports down to the device.
  public let name: String
  public let address: USBAddress
  /// The node that libusb opens.
  public let node: String
  private let folder: String

  /// All devices, hubs included, by name.
  /// - Parameter root: the folder that has `sys` and `dev`; empty for this machine's.
  public static func all(root: String = "") -> [PluggedUSB] {
    let folder = root + "/sys/bus/usb/devices"
    return names(in: folder).sorted().compactMap { PluggedUSB(name: $0, in: folder, root: root) }
  }

  /// The one device that an address means.
  /// - Throws: `IOFailure` with ENODEV where there is none, ENOTUNIQ where there are several; both
  ///   name the serial numbers of its kind that are plugged in.
  public static func find(
    _ address: USBAddress, root: String = ""
  ) throws(IOFailure) -> PluggedUSB {
    let kind = all(root: root).filter {
      address.with(serial: nil).matches($0.address)
    }
    let meant = kind.filter { address.matches($0.address) }
    if meant.count == 1 { return meant[0] }
    let serials = kind.map { $0.address.serial ?? "none" }.joined(separator: ", ")
    let reason =
      if kind.isEmpty {
        "no such USB device is plugged in; lsusb lists those that are"
      } else if meant.isEmpty {
        "plugged in are only such with the serial numbers \(serials)"
      } else if address.serial == nil {
        "several are plugged in, with the serial numbers \(serials): add one to the spec"
      } else {
        "several are plugged in with this serial number: leave one of them there"
      }
    throw IOFailure(
      "find", errno: meant.isEmpty ? ENODEV : ENOTUNIQ, path: "usb:\(address)", reason: reason)
  }

  /// The driver of an interface of the active configuration: `cdc_acm`, `usbfs` where a program
  /// has claimed it, nil where there is none.
  public func driver(ofInterface number: UInt8) -> String? {
    let interface = Self.names(in: folder).first { part in
      // As in 1-1.2:1.0: the configuration's number, then the interface's.
      part.hasPrefix("\(name):") && part.hasSuffix(".\(number)")
    }
    guard let interface else { return nil }
    let link = withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer -> String? in
      let count = readlink(
        "\(folder)/\(interface)/driver", buffer.baseAddress!.assumingMemoryBound(to: CChar.self),
        buffer.count)
      return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
    return link?.split(separator: "/").last.map(String.init)
  }

  private init?(name: String, in folder: String, root: String) {
    self.folder = "\(folder)/\(name)"
    // Interfaces stand in the same folder, and have no vendor.
    guard let vendor = Self.text("\(self.folder)/idVendor").flatMap({ UInt16($0, radix: 16) }),
      let product = Self.text("\(self.folder)/idProduct").flatMap({ UInt16($0, radix: 16) }),
      let bus = Self.text("\(self.folder)/busnum").flatMap({ Int($0) }),
      let number = Self.text("\(self.folder)/devnum").flatMap({ Int($0) })
    else { return nil }
    self.name = name
    address = USBAddress(
      vendor: vendor, product: product, serial: Self.text("\(self.folder)/serial"))
    node = "\(root)/dev/bus/usb/\(Self.threeDigits(bus))/\(Self.threeDigits(number))"
  }

  private static func threeDigits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// A file of sysfs without its last newline; nil where it is none or is empty.
  private static func text(_ path: String) -> String? {
    guard let file = try? Syscall.open(path, O_RDONLY) else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
      guard let count = try? file.read(into: buffer) else { return nil }
      let bytes = buffer[..<count].last == 0x0A ? buffer[..<(count - 1)] : buffer[..<count]
      return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

extension USBAddress {
  fileprivate func matches(_ other: USBAddress) -> Bool {
    matches(vendor: other.vendor, product: other.product, serial: other.serial)
  }
}
