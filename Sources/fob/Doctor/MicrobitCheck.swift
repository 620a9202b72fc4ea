import Transport

/// Each micro:bit that is plugged in: its port, who may open it, who else may, and its drive.
struct MicrobitCheck: BenchCheck {
  struct Board: Equatable {
    let version: Microbit.Version
    /// Four digits.
    let id: String
    /// Like `/dev/ttyACM0`; nil where the kernel gives it none.
    let port: String?
    let mayOpen: Bool
    /// A rule keeps ModemManager away, by udev's own notes.
    let isKeptFromModemManager: Bool
    /// Where its drive is mounted; nil where it is not.
    let drive: String?
  }

  let boards: [Board]
  let modemManagerRuns: Bool

  init(_ bench: BenchRoot) {
    let devices = "/sys/bus/usb/devices"
    boards = bench.entries(devices).compactMap { name in
      Self.board(bench, "\(devices)/\(name)", name)
    }
    modemManagerRuns = bench.runs("ModemManager")
  }

  private static func board(_ bench: BenchRoot, _ folder: String, _ name: String) -> Board? {
    guard let serial = bench.text(folder + "/serial"),
      let version = Microbit.Version(
        vendor: bench.text(folder + "/idVendor"), product: bench.text(folder + "/idProduct"),
        serial: serial)
    else { return nil }
    // The interfaces of 1-1 are 1-1:1.0, 1-1:1.1, …, each a folder in that of the device.
    let interfaces = bench.entries(folder).filter { $0.hasPrefix(name + ":") }
    let tty = interfaces.lazy.flatMap { bench.entries("\(folder)/\($0)/tty") }.first
    let port = tty.map { "/dev/\($0)" }
    let notes = tty.flatMap { bench.text("/sys/class/tty/\($0)/dev") }
      .flatMap { bench.text("/run/udev/data/c\($0)") }
    let drive = MicrobitDrive.folders(in: bench.text("/proc/self/mounts") ?? "").first { path in
      (try? MicrobitDrive(at: bench.root + path))?.isBoard(withSerial: serial) ?? false
    }
    return Board(
      version: version, id: String(serial.prefix(4)), port: port,
      mayOpen: port.map { bench.mayOpen($0) } ?? false,
      isKeptFromModemManager: notes?.contains("E:ID_MM_DEVICE_IGNORE=1") ?? false, drive: drive)
  }

  var findings: [Finding] { boards.flatMap(findings) }

  private func findings(_ board: Board) -> [Finding] {
    let name = "version \(board.version.rawValue) (board \(board.id))"
    guard let port = board.port else {
      return [
        .error(
          "microbit", "\(name): the kernel gives it no serial port",
          "sudo modprobe cdc_acm; a cloud kernel has none: install linux-image-amd64")
      ]
    }
    let drive = board.drive.map { ", drive \($0)" } ?? ""
    var found: [Finding] =
      board.mayOpen
      ? [.ok("microbit", "\(name): \(port)\(drive)")]
      : [
        .error(
          "microbit", "\(name): \(port) does not open for you",
          "sudo usermod -aG dialout \"$USER\", then log in again")
      ]
    if modemManagerRuns, !board.isKeptFromModemManager {
      found.append(
        .warning(
          "microbit", "\(name): no udev rule keeps ModemManager away from \(port)",
          "make install-udev, then plug it in again"))
    }
    if board.drive == nil {
      found.append(
        .warning(
          "microbit", "\(name): its drive is not mounted, so fob flash cannot copy onto it",
          "open MICROBIT in the file manager, or udisksctl mount -b /dev/disk/by-label/MICROBIT"))
    }
    return found
  }
}
