import Glibc
import Testing

/// A port held open by another process than the bridge, this one: its number stays taken when the
/// device goes, and the next one that is plugged in gets another.
struct PortHolder {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    try #require(descriptor >= 0, "\(path) cannot be opened: errno \(errno)")
  }

  func release() { close(descriptor) }
}
