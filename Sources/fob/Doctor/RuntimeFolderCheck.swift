import Foundation
import Glibc
import SerialIO

/// Where control sockets stand.
struct RuntimeFolderCheck {
  let path: String
  /// Nil where it is not there yet.
  let owner: UInt32?
  let mode: UInt32?
  /// Who would use it.
  let user: UInt32
  /// Where it is not there: whether it can be made.
  let mayMake: Bool

  /// Of a Unix socket (unix(7)), without the zero at its end.
  static let maxSocketPathSize = 107

  init(path: String = RuntimeFolder.path) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    self.path = path
    owner = attributes?[.ownerAccountID] as? UInt32
    mode = attributes?[.posixPermissions] as? UInt32
    user = geteuid()
    var parent = (path as NSString).deletingLastPathComponent
    while parent.count > 1, !FileManager.default.fileExists(atPath: parent) {
      parent = (parent as NSString).deletingLastPathComponent
    }
    mayMake = access(parent, W_OK | X_OK) == 0
  }

  init(path: String, owner: UInt32?, mode: UInt32?, user: UInt32, mayMake: Bool) {
    self.path = path
    self.owner = owner
    self.mode = mode
    self.user = user
    self.mayMake = mayMake
  }

  var findings: [Finding] { [finding] }

  private var finding: Finding {
    let longest = path + "/keychain.sock"
    guard longest.utf8.count <= Self.maxSocketPathSize else {
      return .error(
        "runtime", "\(path) is too long for a socket's name", "set XDG_RUNTIME_DIR to a shorter one"
      )
    }
    guard let owner, let mode else {
      return mayMake
        ? .ok("runtime", "\(path) will be made")
        : .error("runtime", "\(path) cannot be made", "set XDG_RUNTIME_DIR to a folder of yours")
    }
    guard owner == user else {
      return .error(
        "runtime", "\(path) belongs to user \(owner)", "set XDG_RUNTIME_DIR to a folder of yours")
    }
    guard mode & 0o077 == 0 else {
      return .warning(
        "runtime", "\(path) is open to others: they may ask bridges and keychains",
        "chmod 700 \(path)")
    }
    return .ok("runtime", path)
  }
}

/// Who may open keychains: the group of the rule, and that of other serial ports.
struct GroupCheck: BenchCheck {
  static let isOfUSB = true

  struct Group: Equatable {
    let name: String
    /// Nil where the system has none.
    let id: UInt32?
    let members: [String]
  }

  let user: String
  let isRoot: Bool
  /// Of this process.
  let groups: Set<UInt32>
  let plugdev: Group
  let dialout: Group
  /// A keychain that is plugged in can be opened, as by uaccess at the machine's own seat.
  let mayOpen: Bool

  init(_ bench: BenchRoot) {
    let status = bench.text("/proc/self/status") ?? ""
    let ids = Self.numbers("Uid", in: status)
    let id = ids.count > 1 ? ids[1] : 0
    let passwords = bench.text("/etc/passwd") ?? ""
    user = Self.rows(passwords).first { $0.count > 2 && $0[2] == "\(id)" }?[0] ?? "\(id)"
    isRoot = id == 0
    groups = Set(Self.numbers("Groups", in: status) + Self.numbers("Gid", in: status))
    let rows = Self.rows(bench.text("/etc/group") ?? "")
    plugdev = Self.group("plugdev", in: rows)
    dialout = Self.group("dialout", in: rows)
    mayOpen = bench.entries("/dev/fob").contains { bench.mayOpen("/dev/fob/\($0)") }
  }

  var findings: [Finding] {
    if isRoot {
      return [.ok("group", "root opens every port; a bridge needs only the group plugdev")]
    }
    return [plugdevFinding, dialoutFinding]
  }

  private var plugdevFinding: Finding {
    guard let id = plugdev.id else {
      return .error(
        "group", "there is no group plugdev, which the rule gives keychains to",
        "sudo groupadd --system plugdev, then make install-udev")
    }
    if groups.contains(id) { return .ok("group", "\(user) is in plugdev: keychains open") }
    if plugdev.members.contains(user) {
      return .error(
        "group", "\(user) is in plugdev since the last login only", "log in again")
    }
    if mayOpen {
      return .ok("group", "\(user) is not in plugdev, but may open what is plugged in")
    }
    return .error(
      "group", "\(user) is not in plugdev: keychains open at the machine's own seat only",
      "sudo usermod -aG plugdev \(user), then log in again")
  }

  private var dialoutFinding: Finding {
    if let id = dialout.id, groups.contains(id) {
      return .ok("dialout", "\(user) is in dialout: other serial ports open")
    }
    if dialout.members.contains(user) {
      return .warning(
        "dialout", "\(user) is in dialout since the last login only", "log in again")
    }
    return .warning(
      "dialout", "\(user) is not in dialout: serial ports that are no keychains do not open",
      "sudo usermod -aG dialout \(user), then log in again, if a keychain is connected through one")
  }

  private static func group(_ name: String, in rows: [[String]]) -> Group {
    let row = rows.first { $0.count > 3 && $0[0] == name }
    return Group(
      name: name, id: row.flatMap { UInt32($0[2]) },
      members: row?[3].split(separator: ",").map(String.init) ?? [])
  }

  /// Lines of passwd(5) and group(5).
  private static func rows(_ text: String) -> [[String]] {
    text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// `Groups:	20 46`
  private static func numbers(_ name: String, in status: String) -> [UInt32] {
    let line = status.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) } ?? []
  }
}

/// The kernel's modules for keychains: their serial port, what `fob attach` plugs them into, and
/// the serial converters of real adapters.
struct ModuleCheck: BenchCheck {
  static let isOfUSB = true

  enum State: Equatable { case loaded, builtIn, loadable, missing }

  let release: String
  let serialPort: State
  let hostController: State
  let converter: State

  init(_ bench: BenchRoot) {
    let release = bench.text("/proc/sys/kernel/osrelease") ?? ""
    let folder = "/lib/modules/\(release)"
    let builtIn = Self.names(in: bench.text("\(folder)/modules.builtin") ?? "")
    let loadable = Self.names(in: bench.text("\(folder)/modules.dep") ?? "")
    func state(_ name: String) -> State {
      if builtIn.contains(name) { return .builtIn }
      if bench.exists("/sys/module/\(name)") { return .loaded }
      return loadable.contains(name) ? .loadable : .missing
    }
    self.release = release
    serialPort = state("cdc_acm")
    hostController = state("vhci_hcd")
    converter = state("usbserial")
  }

  var findings: [Finding] {
    [
      serialPort == .missing
        ? .error(
          "cdc_acm", "kernel \(release) has no cdc_acm: a keychain gets no serial port",
          "install linux-image-amd64 in the place of a cloud kernel; usb: needs no cdc_acm")
        : .ok("cdc_acm", Self.words(serialPort, "a keychain that is plugged in loads it")),
      hostController == .missing
        ? .warning(
          "vhci_hcd", "kernel \(release) has no vhci_hcd: fob attach cannot work",
          "install linux-image-amd64 in the place of a cloud kernel")
        : .ok("vhci_hcd", Self.words(hostController, "sudo modprobe vhci-hcd before fob attach")),
      converter == .missing
        ? .warning(
          "usbserial", "kernel \(release) has no usbserial: FTDI and such adapters get no port",
          "install linux-image-amd64 in the place of a cloud kernel, if a keychain is connected"
            + " through one")
        : .ok("usbserial", Self.words(converter, "an adapter that is plugged in loads it")),
    ]
  }

  private static func words(_ state: State, _ loadable: String) -> String {
    switch state {
    case .loaded: "loaded"
    case .builtIn: "built into the kernel"
    case .loadable: "not loaded; \(loadable)"
    case .missing: "missing"
    }
  }

  /// Of lines like `kernel/drivers/usb/class/cdc-acm.ko.xz: …`; `-` and `_` are the same.
  private static func names(in text: String) -> Set<String> {
    let slash = UInt8(ascii: "/")
    let dash = UInt8(ascii: "-")
    return Set(
      text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
        line.prefix { $0 != UInt8(ascii: ":") }.split(separator: slash).last.map { file in
          let name = file.prefix { $0 != UInt8(ascii: ".") }
          return String(decoding: name.map { $0 == dash ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
        }
      })
  }
}

/// Whether the real-time options would work for this user. None is needed, so nothing here is a
/// warning.
struct RealTimeCheck: BenchCheck {
  /// The hard limit; nil: none.
  let priority: Int?
  /// In bytes; nil: none.
  let lockedMemory: Int?
  let mayAll: Bool

  init(_ bench: BenchRoot) {
    let limits = bench.text("/proc/self/limits") ?? ""
    priority = Self.hardLimit("Max realtime priority", in: limits)
    lockedMemory = Self.hardLimit("Max locked memory", in: limits)
    mayAll =
      (bench.text("/proc/self/status") ?? "").split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("CapEff:") }
      .flatMap { UInt64($0.split(whereSeparator: \.isWhitespace).last ?? "", radix: 16) }
      .map { $0 >> 14 & $0 >> 23 & 1 == 1 } ?? false
  }

  /// Names are padded to 25 columns; a limit that is not told is 0.
  private static func hardLimit(_ name: String, in text: String) -> Int? {
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix(name) }),
      let hard = line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).dropFirst().first
    else { return 0 }
    return hard == "unlimited" ? nil : Int(hard) ?? 0
  }

  var findings: [Finding] {
    let wanted = Int(RealTimePriority.wanted)
    let mayRun = mayAll || priority.map { $0 > 0 } ?? true
    let mayLock = mayAll || lockedMemory == nil
    return [
      Finding(
        check: "realtime", level: .ok,
        text: mayRun
          ? "--realtime works here: presses go before all other work"
          : "--realtime is not permitted; presses wait their turn on a busy machine",
        hint: mayRun ? nil : "LimitRTPRIO=\(wanted) of the service, or rtprio in limits.d"),
      Finding(
        check: "memory", level: .ok,
        text: mayLock
          ? "--lock-memory works here: no press waits for a page"
          : "--lock-memory is not permitted; after long rest a press may wait for pages",
        hint: mayLock ? nil : "LimitMEMLOCK=infinity of the service, or memlock in limits.d"),
    ]
  }
}
