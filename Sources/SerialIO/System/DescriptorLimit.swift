import Glibc

/// How many files this process may have open. A keychain or a device takes six to eight of them,
/// and the soft limit that a shell hands on is often 1,024.
public enum DescriptorLimit {
  /// As far as the system lets this process go by itself; where it does not, openings say so later.
  public static func raise() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
