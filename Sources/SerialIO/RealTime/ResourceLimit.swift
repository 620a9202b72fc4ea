import Glibc

/// What getrlimit(2) tells of a resource, and how far this process may go by itself.
enum ResourceLimit {
  case lockedMemory
  case realTimePriority

  private var resource: __rlimit_resource_t {
    switch self {
    case .lockedMemory: __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
    case .realTimePriority: __rlimit_resource_t(__RLIMIT_RTPRIO.rawValue)
    }
  }

  /// The hard limit, to which the soft one is raised; nil: there is none.
  func raised() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 0 }
    if limit.rlim_cur != limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      guard setrlimit(resource, &limit) == 0 else { return 0 }
    }
    return limit.rlim_max == rlim_t.max ? nil : UInt64(limit.rlim_max)
  }
}
