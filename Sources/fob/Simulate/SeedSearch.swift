import FobBase
import Glibc
import SerialIO
import Simulation
import Synchronization

/// A search on several threads, with its progress on standard error.
final class SeedSearch: Sendable {
  private let state: Mutex<Search>
  private let keepsHashes: Bool
  private let threads: Int

  init(_ seeds: ClosedRange<UInt64>, keepsHashes: Bool, threads: Int) {
    state = Mutex(Search(seeds: seeds, keepsHashes: keepsHashes))
    self.keepsHashes = keepsHashes
    self.threads = threads
  }

  static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  var summary: SearchSummary { state.withLock { $0.summary } }

  /// Plays until all seeds are played, a rule is broken, the time is over, or Ctrl-C; what has been
  /// begun then is played to its end.
  func run(for span: Interval?, until termination: borrowing Termination) throws -> PlaySpeed {
    SeedsAtCrash.install()
    let began = BootClock.now()
    let workers = try (0..<threads).map { index throws(IOFailure) in
      try BlockingThread(name: "world \(index + 1)") { [self] in play(index) }
    }
    let every = Interval.seconds(isatty(STDERR_FILENO) == 1 ? 1 : 10)
    var nextReport = began + every
    var isStopping = false
    for worker in workers {
      while !worker.join(within: .milliseconds(50)) {
        let now = BootClock.now()
        let isOver = span.map { $0 <= now - began } ?? false
        if !isStopping, isOver || termination.wait(until: now) {
          isStopping = true
          state.withLock { $0.stop() }
        }
        if nextReport <= now {
          Terminal.error(
            "  " + PlaySpeed(elapsed: now - began, threads: threads).progress(of: summary))
          nextReport = now + every
        }
      }
    }
    return PlaySpeed(elapsed: BootClock.now() - began, threads: threads)
  }

  private func play(_ thread: Int) {
    defer { SeedsAtCrash.played(on: thread) }
    while let seeds = state.withLock({ $0.take() }) {
      let played = SearchSummary(playing: seeds, keepsHashes: keepsHashes) {
        SeedsAtCrash.playing($0, on: thread)
      }
      state.withLock { $0.put(played, of: seeds) }
    }
  }
}
