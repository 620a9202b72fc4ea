import Bench
import Bridge
import FobBase
import SerialIO
import Storage
import Synchronization

/// How long the processor works on each commit, beside the disk's waits: what a change of the
/// program moves, and the disk's mood does not.
final class CommitMeter: Sendable {
  private struct Commit {
    /// When it returned, µs on the boot clock.
    let end: Int64
    /// µs of the committing thread.
    let work: Int64
  }

  private let last = Mutex<[Commit]>([])
  private static let remembered = 256

  /// `commit`, measured.
  func measuring(_ commit: @escaping AlertBridge.Commit) -> AlertBridge.Commit {
    { [self] batches in
      let began = ThreadClock.nanoseconds()
      defer { note(ThreadClock.nanoseconds() - began) }
      return commit(batches)
    }
  }

  /// Of the commit that made a press durable: the last that had returned by then, µs.
  func work(of durable: Int64?) -> Int64? {
    guard let durable else { return nil }
    return last.withLock { $0.last { $0.end <= durable }?.work }
  }

  private func note(_ nanoseconds: UInt64) {
    let commit = Commit(
      end: BootClock.now().microseconds, work: Int64((nanoseconds + 500) / 1_000))
    last.withLock { last in
      if last.count == Self.remembered { last.removeFirst() }
      last.append(commit)
    }
  }
}
