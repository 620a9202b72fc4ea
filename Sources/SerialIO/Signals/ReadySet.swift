import CLinux
import Glibc

/// Waits for many descriptors at once (epoll(7)), each under a tag of the caller's. Unlike poll(2),
/// the cost of a wait does not grow with their number.
public struct ReadySet: ~Copyable, Sendable {
  /// The most ready descriptors that one wait tells.
  public static let most = 64

  private let set: OwnedDescriptor

  /// An empty set.
  public init() throws(IOFailure) {
    set = OwnedDescriptor(
      owning: try Syscall.run("create", "an epoll set") { clinux_epoll() }, path: "an epoll set")
  }

  /// From now on `descriptor` is ready when one of `events` (as of poll(2)), POLLHUP or POLLERR has
  /// happened to it. A closed descriptor leaves the set by itself.
  /// - Throws: `IOFailure` with EPERM for a file, which is always ready.
  public func watch(_ descriptor: Int32, for events: Int16, as tag: Int) throws(IOFailure) {
    let number = set.number
    try Syscall.run("watch", "a descriptor") {
      clinux_epoll_watch(
        number, descriptor, UInt32(UInt16(bitPattern: events)), UInt64(bitPattern: Int64(tag)))
    }
  }

  /// Takes a descriptor out of the set; harmless if it is not in it.
  public func forget(_ descriptor: Int32) { _ = clinux_epoll_forget(set.number, descriptor) }

  /// Appends the tags of what is ready to `tags`, at most ``most`` of them. If `waits`, it waits
  /// until there is one; else it only looks.
  public func take(into tags: inout [Int], waits: Bool) throws(IOFailure) {
    let number = set.number
    var found = InlineArray<64, UInt64>(repeating: 0)
    var span = found.mutableSpan
    let count = try span.withUnsafeMutableBufferPointer { (found) throws(IOFailure) -> Int32 in
      try Syscall.run("wait for", "an epoll set") {
        clinux_epoll_wait(number, found.baseAddress, Int32(found.count), waits ? 1 : 0)
      }
    }
    for index in 0..<Int(count) { tags.append(Int(Int64(bitPattern: found[index]))) }
  }
}
