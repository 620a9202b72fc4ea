import Glibc
public import SerialIO
import USB

/// A user who opens a port: whether owner, group and mode of the node allow it.
public struct PortUser: Sendable {
  /// Login name; the number as text where there is none.
  public let name: String
  /// Effective user id; 0 may open everything.
  public let id: UInt32
  /// The groups of this process. A group joined later counts from the next login on.
  public let groups: Set<UInt32>
  /// The name of a group in the system's list; nil: it has none.
  public let groupName: @Sendable (UInt32) -> String?
  /// The members of a group that the list names.
  public let members: @Sendable (UInt32) -> [String]

  /// The list of groups as functions, so that a test can have its own.
  public init(
    name: String, id: UInt32, groups: Set<UInt32>,
    groupName: @escaping @Sendable (UInt32) -> String?,
    members: @escaping @Sendable (UInt32) -> [String]
  ) {
    self.name = name
    self.id = id
    self.groups = groups
    self.groupName = groupName
    self.members = members
  }

  /// The user of this process, asked of the system at each call.
  public static var current: PortUser {
    var groups = [gid_t](repeating: 0, count: 1_024)
    let count = getgroups(Int32(groups.count), &groups)
    return PortUser(
      name: loginName(geteuid()) ?? "\(geteuid())", id: geteuid(),
      groups: Set(groups.prefix(Int(max(0, count))) + [getegid()]),
      groupName: { id in withGroup(id) { $0.gr_name.map { String(cString: $0) } } ?? nil },
      members: { id in
        withGroup(id) { group in
          var names: [String] = []
          var next = group.gr_mem
          while let member = next?.pointee {
            names.append(String(cString: member))
            next = next?.advanced(by: 1)
          }
          return names
        } ?? []
      })
  }

  /// The groups of serial ports and attached devices on Debian: membership is all it takes.
  private static let usual: Set = ["plugdev", "dialout"]

  /// Why reading and writing is not allowed, with a hint; nil: it is allowed.
  public func refusal(owner: UInt32, group: UInt32, mode: UInt32) -> String? {
    if id == 0 { return nil }
    if id == owner {
      return mode & 0o600 == 0o600 ? nil : "its owner \(name) may not read and write it: chmod u+rw"
    }
    let isMember = groups.contains(group)
    if isMember, mode & 0o060 == 0o060 { return nil }
    if !isMember, mode & 0o006 == 0o006 { return nil }
    let called = groupName(group) ?? "\(group)"
    guard mode & 0o060 == 0o060, group != 0 else {
      return "no permission, and none for its group \(called) either: install the udev rule with"
        + " make install-udev"
    }
    if members(group).contains(name) {
      return "no permission yet: \(name) is in the group \(called) since the last login;"
        + " log in again"
    }
    let rule =
      Self.usual.contains(called)
      ? "; a keychain's group is plugdev by the udev rule (make install-udev)"
      : "; better, install the udev rule with make install-udev, which gives it to plugdev"
    return "no permission: it belongs to the group \(called);"
      + " sudo usermod -aG \(called) \(name), then log in again" + rule
  }

  /// Why this user may not open a node, with a hint; nil: it is allowed, or the node has gone.
  public func refusal(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return refusal(owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o777)
  }

  private static func loginName(_ id: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard getpwuid_r(id, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil
      else { return nil }
      return entry.pw_name.map { String(cString: $0) }
    }
  }

  private static func withGroup<Value>(_ id: gid_t, _ body: (Glibc.group) -> Value) -> Value? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
      guard getgrgid_r(id, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil
      else { return nil }
      return body(entry)
    }
  }
}

extension USBAddress {
  /// Any keychain of the emulator: its ids (1209:0001) without a serial number.
  public static let keychain: USBAddress = {
    let identity = USBIdentity.keychain(serial: "")
    return USBAddress(vendor: identity.vendor, product: identity.product)
  }()
}
