import Glibc
import SerialIO

/// One keychain on a fleet's thread, and which of its descriptors are watched for what.
struct FleetMember {
  let loop: EmulatorLoop
  private let tag: Int
  private var watched = FleetMember.nothing

  private static let nothing = InlineArray<3, pollfd>(
    repeating: pollfd(fd: -1, events: 0, revents: 0))

  init(_ loop: EmulatorLoop, tag: Int) {
    self.loop = loop
    self.tag = tag
  }

  /// Has `ready` watch what the keychain waits for now.
  /// - Parameter isAnew: a command may have closed a descriptor and opened another under the same
  ///   number, which epoll(7) does not know then.
  mutating func watch(in ready: borrowing ReadySet, isAnew: Bool) {
    let wanted = loop.polled
    if isAnew { forget(in: ready) }
    for index in watched.indices where watched[index].fd >= 0 {
      if !Self.has(wanted, watched[index].fd) { ready.forget(watched[index].fd) }
    }
    for index in wanted.indices where wanted[index].fd >= 0 {
      let (number, events) = (wanted[index].fd, wanted[index].events)
      if !Self.has(watched, number, events) { try? ready.watch(number, for: events, as: tag) }
    }
    watched = wanted
  }

  mutating func forget(in ready: borrowing ReadySet) {
    for index in watched.indices where watched[index].fd >= 0 { ready.forget(watched[index].fd) }
    watched = Self.nothing
  }

  /// - Parameter events: nil: whatever for.
  private static func has(
    _ polled: borrowing InlineArray<3, pollfd>, _ number: Int32, _ events: Int16? = nil
  ) -> Bool {
    for index in 0..<polled.count {
      guard polled[index].fd == number else { continue }
      if let events { return polled[index].events == events }
      return true
    }
    return false
  }
}
