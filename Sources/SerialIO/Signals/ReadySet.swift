import CLinux
import Glibc

/// Many descriptors that are waited for at once (epoll(7)), each under a tag of the caller's: what
/// a wait costs does not grow with their number, as that of poll(2) does.
public struct ReadySet: ~Copyable, Sendable {
  /// How many of those that are ready one wait tells.
  public static let most = 64

  private let set: OwnedDescriptor

  public init() throws(IOFailure) {
    set = OwnedDescriptor(
      owning: try Syscall.run("create", "an epoll set") { clinux_epoll() }, path: "an epoll set")
  }

  /// From now on `descriptor` is ready when one of `events` of poll(2), POLLHUP or POLLERR has
  /// happened to it. A descriptor that is closed is forgotten by itself.
  /// - Throws: `IOFailure` with EPERM for a file, which is always ready.
  public func watch(_ descriptor: Int32, for events: Int16, as tag: Int) throws(IOFailure) {
    let number = set.number
    try Syscall.run("watch", "a descriptor") {
      clinux_epoll_watch(
        number, descriptor, UInt32(UInt16(bitPattern: events)), UInt64(bitPattern: Int64(tag)))
    }
  }

  public func forget(_ descriptor: Int32) { _ = clinux_epoll_forget(set.number, descriptor) }

  /// The tags of what is ready, put into `tags`, at most ``most`` of them.
  /// - Parameter waits: until there is one; else it only looks.
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
