import Glibc
public import SerialIO
import USB

/// Who would open a port, and what its owner, group and mode say to that.
public struct PortUser: Sendable {
  public let name: String
  public let id: UInt32
  /// Of this process; a group joined since counts from the next login on.
  public let groups: Set<UInt32>
  /// As in the system's list of groups.
  public let groupName: @Sendable (UInt32) -> String?
  /// The members that the list names.
  public let members: @Sendable (UInt32) -> [String]

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

  /// The groups that Debian gives serial ports and plugged-in devices: membership is all it takes.
  private static let usual: Set = ["plugdev", "dialout"]

  /// Nil if reading and writing is allowed; else why not, and a hint.
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

  /// What keeps this user from a node; nil where nothing does, or the node has gone.
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
  /// Of the emulated keychains, whatever their serial numbers.
  public static let keychain: USBAddress = {
    let identity = USBIdentity.keychain(serial: "")
    return USBAddress(vendor: identity.vendor, product: identity.product)
  }()
}
