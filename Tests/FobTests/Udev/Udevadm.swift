import Foundation
import TestSupport

/// udev's own reading of the rules: `udevadm test` on a made-up device of umockdev's, in a mount
/// namespace of its own, so that nothing of this machine is touched and root is not needed.
struct Udevadm {
  /// Below `/sys`, with the device's node name, if any, and its attributes.
  static let device = "/sys/devices/platform/vhci_hcd.0/usb1/1-1"
  static let port = device + "/1-1:1.0/tty/ttyACM0"

  let output: String

  /// Where it cannot run: a program is missing, or namespaces are forbidden, as in some containers.
  static let isThere: Bool =
    (try? run("unshare", ["-rm", "umockdev-run", "--", "udevadm", "--version"]).status) == 0

  /// - Parameter rules: a folder that stands for /etc/udev/rules.d.
  init(
    rules: String, action: String, of path: String, product: String = "fob keychain",
    in scratch: ScratchDirectory
  ) throws {
    let description = scratch.path("device.umockdev")
    try Data(Self.description(product).utf8).write(to: URL(filePath: description))
    output = try Self.run(
      "unshare", ["-rm", "sh", "-ec", Self.script, "sh", rules, description, action, path]
    ).output
  }

  /// The properties that the device has in the end, DEVLINKS and TAGS among them.
  subscript(property: String) -> String? {
    output.split(separator: "\n").first { $0.hasPrefix(property + "=") }
      .map { String($0.dropFirst(property.count + 1)) }
  }

  /// What udev says of our file: faults, and what its lines do.
  var said: [String] {
    output.split(separator: "\n").filter { $0.contains("70-fob.rules:") }.compactMap { line in
      line.range(of: "70-fob.rules:").map { String(line[$0.upperBound...]) }
    }
  }

  /// `/run` and `/dev` are replaced: udevadm test makes links and notes in them.
  private static let script = """
    mount -t tmpfs tmpfs /run
    mkdir -p /run/dev /run/udev
    for node in null zero full random urandom; do
      : >/run/dev/$node
      mount --bind /dev/$node /run/dev/$node
    done
    mount --rbind /run/dev /dev
    mount --bind "$1" /etc/udev/rules.d
    exec umockdev-run --device "$2" -- udevadm test --action="$3" "$4" 2>&1
    """

  private static func description(_ product: String) -> String {
    """
    P: /devices/platform/vhci_hcd.0/usb1/1-1
    N: bus/usb/001/002
    E: DEVNAME=/dev/bus/usb/001/002
    E: DEVTYPE=usb_device
    E: MAJOR=189
    E: MINOR=1
    E: SUBSYSTEM=usb
    A: idVendor=1209
    A: idProduct=0001
    A: manufacturer=fob
    A: product=\(product)
    A: serial=8000000000000001

    P: /devices/platform/vhci_hcd.0/usb1/1-1/1-1:1.0
    E: DEVTYPE=usb_interface
    E: SUBSYSTEM=usb
    A: bInterfaceNumber=00
    A: bInterfaceClass=02
    A: bInterfaceSubClass=02

    P: /devices/platform/vhci_hcd.0/usb1/1-1/1-1:1.0/tty/ttyACM0
    E: DEVNAME=/dev/ttyACM0
    E: MAJOR=166
    E: MINOR=0
    E: SUBSYSTEM=tty

    """
  }

  private static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }
}

extension Udevadm {
  static let canVerify: Bool = (try? run("udevadm", ["verify", "--help"]).status) == 0

  /// Its complaints; empty for none.
  static func verify(_ path: String) throws -> String {
    let (output, status) = try run("udevadm", ["verify", path])
    return status == 0 ? "" : output
  }
}
