import Foundation
import Glibc
import SerialIO

/// The kernel's virtual USB host controller (module vhci-hcd), by its files below `/sys`.
///
/// One folder speaks for all controllers: `status`, `status.1`, … list the ports, `attach` and
/// `detach` take orders (Documentation/ABI/testing/sysfs-platform-vhci_hcd of usbip's tools).
struct VHCIController {
  /// What comes before `/sys`: nothing, or a folder in a test.
  let root: String

  private static let folder = "/sys/devices/platform/vhci_hcd.0"

  /// - Throws: `Failure` where the module is not loaded.
  init(root: String = "") throws(Failure) {
    self.root = root
    guard FileManager.default.fileExists(atPath: path("status")) else {
      throw Failure(
        .cannotOpen,
        "cannot open \(path("status")): the kernel module vhci-hcd is not loaded;"
          + " sudo modprobe vhci-hcd")
    }
  }

  /// - Throws: `Failure` for who may not attach and detach.
  func requireRight() throws(Failure) {
    guard access(path("attach"), W_OK) == 0, access(path("detach"), W_OK) == 0 else {
      throw Failure(
        .cannotOpen,
        "cannot write \(path("attach")): \(String(cString: strerror(errno)));"
          + " only root plugs USB devices in: run it with sudo")
    }
  }

  func ports() throws(Failure) -> [VHCIPort] {
    var ports: [VHCIPort] = []
    for name in statusFiles() { ports += VHCIPort.read(try TextFile.read(path(name))) }
    guard !ports.isEmpty else {
      throw Failure(.ioError, "\(path("status")) lists no port: this kernel's format is unknown")
    }
    return ports
  }

  /// - Parameter socket: a connected stream socket, which the kernel keeps when this returns.
  func attach(
    _ socket: borrowing OwnedDescriptor, device: UInt32, speed: UInt32, to port: VHCIPort
  ) throws(Failure) {
    let order = "\(port.number) \(socket.number) \(device) \(speed)"
    guard let code = write(order, to: "attach") else { return }
    let words =
      code == EBUSY
      ? "port \(port.number) was taken meanwhile; try again"
      : "\(String(cString: strerror(code))) (port, socket, device, speed: \(order))"
    throw Failure(.ioError, "cannot attach to port \(port.number): \(words)")
  }

  func detach(_ port: Int) throws(Failure) {
    guard let code = write("\(port)", to: "detach") else { return }
    let words = code == EINVAL ? "nothing is attached there" : String(cString: strerror(code))
    throw Failure(.ioError, "cannot detach port \(port): \(words)")
  }

  /// iSerialNumber of what is attached to a port; nil where the kernel has not met it yet.
  func serial(of port: VHCIPort) -> String? {
    guard let busID = port.busID,
      let text = try? TextFile.read("\(root)/sys/bus/usb/devices/\(busID)/serial")
    else { return nil }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func path(_ name: String) -> String { "\(root)\(Self.folder)/\(name)" }

  private func statusFiles() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(""))) ?? []
    return names.filter { $0 == "status" || $0.hasPrefix("status.") }.sorted()
  }

  /// The errno of a refusal. One write(2), as sysfs wants it; a test's file is written anew.
  private func write(_ text: String, to name: String) -> Int32? {
    let descriptor = open(path(name), O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let line = Array(text.utf8)
    return Glibc.write(descriptor, line, line.count) == line.count ? nil : errno
  }
}
