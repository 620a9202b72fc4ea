import CLinux
import Glibc
import Testing

/// RLIMIT_FSIZE, which holds for a whole process: of use only in one that a test has for itself.
enum FileSizeLimit {
  private static let resource: Int32 = 1

  static func set(to bytes: UInt) throws {
    var limit = try current()
    limit.rlim_cur = bytes
    try #require(clinux_prlimit(0, resource, &limit, nil) == 0)
  }

  static func lift() throws {
    var limit = try current()
    limit.rlim_cur = limit.rlim_max
    try #require(clinux_prlimit(0, resource, &limit, nil) == 0)
  }

  private static func current() throws -> rlimit {
    var limit = rlimit()
    try #require(clinux_prlimit(0, resource, nil, &limit) == 0)
    return limit
  }
}
