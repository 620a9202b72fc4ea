import Glibc

/// How many files this process may have open. A keychain or a device takes six to eight of them,
/// and the soft limit that a shell hands on is often 1,024.
public enum DescriptorLimit {
  /// As far as the system lets this process go by itself; where it does not, openings say so later.
  public static func raise() {
    var limit = current
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// How many there may be, and how many there are.
  public static var now: (most: Int, open: Int) {
    (Int(clamping: current.rlim_cur), openDescriptors)
  }

  private static var current: rlimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return rlimit(rlim_cur: 1_024, rlim_max: 1_024)
    }
    return limit
  }

  private static var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // ".", ".." and the folder itself.
    return max(0, count - 3)
  }
}
