import FobBase
import SerialIO
import Synchronization

/// What this harness and its machine take for the least that a press needs, measured between the
/// presses: bytes one way over a pty, and a page made durable.
///
/// A pty's writer sleeps on a timer in poll(2), as a keychain does until its contact has settled.
/// Its reader waits in read(2), and asks the scheduler for what a line's reader asks. The page is
/// written behind every second trip, on a processor that is awake, as that of a commit is.
final class HarnessBaseline: Sendable {
  /// A trip: when it was due, µs on the boot clock, and how long it took, µs in tenths.
  struct Trip: Equatable, Sendable {
    let due: Int64
    let tenths: Int64
  }

  private let trips = Mutex<[Trip]>([])
  private let flushed = Mutex<[Trip]>([])
  private let stopSignal: EventSignal
  private let threads = Mutex<[BlockingThread]>([])

  /// - Parameters:
  ///   - dues: in order, on the boot clock; those that have passed are left out.
  ///   - folder: whose disk is measured.
  init(dues: [Instant], folder: String) throws(IOFailure) {
    stopSignal = try EventSignal()
    let line = try PtyBaseline()
    let page = try FsyncBaseline(in: folder)
    trips.withLock { $0.reserveCapacity(dues.count) }
    flushed.withLock { $0.reserveCapacity(dues.count) }
    let writer = try BlockingThread(name: "floor writer") { [self] in
      write(dues, to: line, page)
      line.end()
    }
    let reader = try BlockingThread(name: "floor reader") { [self] in
      BlockingThread.runSoon()
      while let (due, tenths) = line.read() {
        trips.withLock { $0.append(Trip(due: due, tenths: tenths)) }
      }
    }
    threads.withLock { $0 = [writer, reader] }
  }

  /// Ends the threads.
  func stop() -> (trips: [Trip], flushes: [Trip]) {
    stopSignal.signal()
    for thread in threads.withLock({ $0 }) { _ = thread.join(within: .seconds(2)) }
    return (trips.withLock { $0 }, flushed.withLock { $0 })
  }

  private func write(_ dues: [Instant], to line: PtyBaseline, _ page: FsyncBaseline) {
    guard let alarm = try? TimerFD() else { return }
    for (index, due) in dues.enumerated() where due > BootClock.now() {
      alarm.set(at: due)
      try? Syscall.awaitEither(alarm.descriptor, stopSignal.descriptor)
      guard BootClock.now() >= due else { return }
      line.write(due)
      guard index % 2 == 1, let tenths = page.write() else { continue }
      flushed.withLock { $0.append(Trip(due: due.microseconds, tenths: tenths)) }
    }
  }
}
