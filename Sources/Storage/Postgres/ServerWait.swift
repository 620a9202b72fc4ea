import Synchronization

/// Whether connections wait for their server now. Each wait ends: a connection is given up where
/// nothing comes.
final class ServerWait: Sendable {
  private let count = Atomic(0)

  var isUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  func during<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    count.add(1, ordering: .acquiringAndReleasing)
    defer { count.subtract(1, ordering: .acquiringAndReleasing) }
    return try body()
  }
}
