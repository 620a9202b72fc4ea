import Foundation

/// Who may open keychains: the group of the rule, and that of other serial ports.
struct GroupCheck: BenchCheck {
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
      return [.ok("group", "root opens every port; a bridge needs the group plugdev alone")]
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
      "sudo usermod -aG dialout \(user), then log in again, if a keychain hangs on one")
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
