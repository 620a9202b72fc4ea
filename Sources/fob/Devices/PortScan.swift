// Beside Console, the compiler looks for the fields of stat(2) in Dispatch's headers.
import CDispatch
import Foundation
import Glibc
import SerialIO
import Transport

/// Looks for serial ports in `/dev`, `/sys` and `/proc`, all below one root, so that a test can
/// make the tree up. No port is opened: that would raise DTR, which resets many a board.
struct PortScan {
  /// What comes before `/dev`, `/sys` and `/proc`: nothing, or a folder.
  let root: String
  private let user: PortUser

  /// - Parameter user: who would open them.
  init(root: String = "", user: PortUser = .current) {
    self.root = root
    self.user = user
  }

  func ports() -> [SerialPort] {
    let names = entries("/dev").filter(isPort).sorted { Self.order($0) < Self.order($1) }
    let stable = stableNames()
    let holders = PortHolders(root: root, paths: Set(names.map { "/dev/" + $0 }))
    return names.map { name in
      let path = "/dev/" + name
      let names = stable[name, default: []].sorted()
      var port = SerialPort(path: path, spec: "serial:\(names.first ?? path)", names: names)
      port.usb = usb(of: name)
      if let microbit = port.usb?.microbit {
        port.microbit = microbit.rawValue
        port.spec += "?baud=\(Microbit.baud)"
      }
      port.problem = problem(of: path, holders)
      return port
    }
  }

  /// USB serial ports are there when they are plugged in; of the many `ttyS`, those with a chip.
  private func isPort(_ name: String) -> Bool {
    if name.hasPrefix("ttyACM") || name.hasPrefix("ttyUSB") { return true }
    guard name.hasPrefix("ttyS"), name.dropFirst(4).allSatisfy(\.isNumber), name.count > 4,
      exists("/sys/class/tty/\(name)/device")
    else { return false }
    // 0 is PORT_UNKNOWN: the driver found no UART at that address.
    return text("/sys/class/tty/\(name)/type").map { $0 != "0" } ?? false
  }

  private static func order(_ name: String) -> (String, Int) {
    let kind = name.prefix { !$0.isNumber }
    return (String(kind), Int(name.dropFirst(kind.count)) ?? 0)
  }

  /// By port, the links that lead to it.
  private func stableNames() -> [String: [String]] {
    let folder = "/dev/serial/by-id"
    var names: [String: [String]] = [:]
    for name in entries(folder) {
      guard
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(root)\(folder)/\(name)")
      else { continue }
      names[(target as NSString).lastPathComponent, default: []].append("\(folder)/\(name)")
    }
    return names
  }

  /// The device is the first folder upwards that has an `idVendor`.
  private func usb(of name: String) -> SerialPort.USB? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard realpath("\(root)/sys/class/tty/\(name)/device", &buffer) != nil else { return nil }
    var folder = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    for _ in 0..<16 where folder.count > root.count + 1 {
      if let vendor = read(folder + "/idVendor"), let product = read(folder + "/idProduct") {
        let words = ["manufacturer", "product"].compactMap { read("\(folder)/\($0)") }
        return SerialPort.USB(
          vendor: vendor, product: product, serial: read(folder + "/serial"),
          name: words.isEmpty ? nil : words.joined(separator: " "))
      }
      folder = (folder as NSString).deletingLastPathComponent
    }
    return nil
  }

  private func problem(of path: String, _ holders: PortHolders) -> String? {
    let file = URL(filePath: root + path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
      let owner = attributes[.ownerAccountID] as? UInt32,
      let group = attributes[.groupOwnerAccountID] as? UInt32,
      let mode = attributes[.posixPermissions] as? UInt32
    else { return "it cannot be examined: \(String(cString: strerror(errno)))" }
    if let refusal = user.refusal(owner: owner, group: group, mode: mode) { return refusal }
    return holders.words(for: path)
  }

  private func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root + path)
  }

  private func text(_ path: String) -> String? { read(root + path) }

  private func read(_ path: String) -> String? {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 4_096 else {
      return nil
    }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }
}

/// Which processes have which port open, by `/proc/*/fd`. Those of other users show theirs to root
/// only: a port that seems free may be held by one.
struct PortHolders {
  /// It opens every port that may be a modem and writes AT commands into it, seconds after the
  /// port has appeared.
  private static let modemManager = "ModemManager"

  private var holders: [String: [String]] = [:]
  private var modems: Set<String> = []

  init(root: String, paths: Set<String>) {
    guard !paths.isEmpty else { return }
    let files = FileManager.default
    let processes = (try? files.contentsOfDirectory(atPath: root + "/proc")) ?? []
    for process in processes.compactMap({ Int32($0) }).sorted() {
      let folder = "\(root)/proc/\(process)/fd"
      var found: Set<String> = []
      for descriptor in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
        guard let target = try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"),
          paths.contains(target)
        else { continue }
        found.insert(target)
      }
      for path in found {
        let name = (try? String(contentsOfFile: "\(root)/proc/\(process)/comm", encoding: .utf8))?
          .trimmingCharacters(in: .whitespacesAndNewlines)
        if name == Self.modemManager { modems.insert(path) }
        let words = name.map { " (\($0))" } ?? ""
        holders[path, default: []].append("process \(process)\(words)")
      }
    }
  }

  /// Nil where nobody is seen.
  func words(for path: String) -> String? {
    holders[path].map { names in
      "busy: \(names.joined(separator: ", ")) has it open"
        + (modems.contains(path)
          ? "; ModemManager takes it for a modem and writes to it: make install-udev keeps it away,"
            + " then plug it in again" : "")
    }
  }
}

/// A serial port of this machine, and whether it can be opened; found without opening it.
struct SerialPort: Encodable, Equatable {
  struct USB: Encodable, Equatable {
    /// Four hexadecimal digits each.
    let vendor: String
    let product: String
    var serial: String?
    /// Manufacturer and product in the device's own words.
    var name: String?

    /// Which micro:bit it is, by its ids and its serial number; nil for any other device.
    var microbit: Microbit.Version? {
      Microbit.Version(vendor: vendor, product: product, serial: serial)
    }
  }

  /// Like `/dev/ttyACM0`.
  let path: String
  /// What to give to `--device`: by the name that stays, where there is one.
  var spec: String
  /// The links in `/dev/serial/by-id`.
  let names: [String]
  var usb: USB?
  /// Which version of a micro:bit it is the port of; nil: of none. Whether a keychain runs there,
  /// only its line can tell.
  var microbit: Int?
  /// Why it cannot be opened now, and what to do; nil where nothing speaks against it.
  var problem: String?
}

extension Microbit.Version {
  /// That of a USB device with these ids, each four hexadecimal digits, and this serial number; nil
  /// for any other than a micro:bit.
  init?(vendor: String?, product: String?, serial: String?) {
    guard vendor == USBAddress.digits(Microbit.address.vendor),
      product == USBAddress.digits(Microbit.address.product), let serial
    else { return nil }
    self.init(boardID: serial)
  }
}
