import Glibc

/// Who would open a port, and what its owner, group and mode say to that.
struct PortUser: Sendable {
  let name: String
  let id: UInt32
  /// Of this process; a group joined since counts from the next login on.
  let groups: Set<UInt32>
  /// As in the system's list of groups.
  let groupName: @Sendable (UInt32) -> String?
  /// The members that the list names.
  let members: @Sendable (UInt32) -> [String]

  static var current: PortUser {
    var groups = [gid_t](repeating: 0, count: 1_024)
    let count = getgroups(Int32(groups.count), &groups)
    let name = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    return PortUser(
      name: name ?? "\(geteuid())", id: geteuid(),
      groups: Set(groups.prefix(Int(max(0, count))) + [getegid()]),
      groupName: { getgrgid($0).map { String(cString: $0.pointee.gr_name) } },
      members: { id in
        var names: [String] = []
        guard var next = getgrgid(id)?.pointee.gr_mem else { return [] }
        while let member = next.pointee {
          names.append(String(cString: member))
          next += 1
        }
        return names
      })
  }

  /// Nil if reading and writing is allowed; else why not, and the way out.
  func refusal(owner: UInt32, group: UInt32, mode: UInt32) -> String? {
    if id == 0 { return nil }
    if id == owner {
      return mode & 0o600 == 0o600 ? nil : "its owner \(name) may not read and write it: chmod u+rw"
    }
    let isMember = groups.contains(group)
    if isMember, mode & 0o060 == 0o060 { return nil }
    if !isMember, mode & 0o006 == 0o006 { return nil }
    let called = groupName(group) ?? "\(group)"
    guard mode & 0o060 == 0o060, group != 0 else {
      return "no permission, and none for its group \(called) either: a udev rule must give one"
    }
    if members(group).contains(name) {
      return "no permission yet: \(name) is in the group \(called) since the last login;"
        + " log in again"
    }
    return "no permission: it belongs to the group \(called);"
      + " sudo usermod -aG \(called) \(name), then log in again"
  }
}
