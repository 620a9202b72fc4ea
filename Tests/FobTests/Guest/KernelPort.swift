import Foundation
import Glibc
import Testing

/// A port of the kernel's virtual USB hub (vhci_hcd), into which a test plugs a device itself.
struct KernelPort {
  let number: Int

  private static let hub = "/sys/devices/platform/vhci_hcd.0"

  /// Plugs a device into a free port: the kernel speaks USB/IP at this socket from now on, and
  /// unplugs the device when the other end is closed.
  /// - Parameter controller: 0...7. The kernel looks at the devices of one after the other, so that
  ///   one which will not say what it is keeps those of its own controller waiting.
  static func plug(
    socket: Int32, device: UInt32, controller: Int, isFullSpeed: Bool = true
  ) throws -> KernelPort {
    let port = try #require(try free(controller).first, "no free port")
    try #require(
      write("\(port) \(socket) \(device) \(isFullSpeed ? 2 : 3)", to: hub + "/attach"),
      "attach to port \(port): errno \(errno)")
    return KernelPort(number: port)
  }

  /// Of the hub for full and high speed: `hs 0000 004 ...`, where state 4 is free.
  private static func free(_ controller: Int) throws -> [Int] {
    let name = controller == 0 ? "status" : "status.\(controller)"
    let text = try String(contentsOfFile: hub + "/" + name, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 2, words[0] == "hs", words[2] == "004" else { return nil }
      return Int(words[1])
    }
  }

  /// At once, in one write: sysfs takes no other.
  private static func write(_ text: String, to path: String) -> Bool {
    let file = open(path, O_WRONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Glibc.write(file, text, text.utf8.count) == text.utf8.count
  }
}
