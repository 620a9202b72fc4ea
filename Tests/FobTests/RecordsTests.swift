import SerialIO
import Storage
import Synchronization
import Testing

@testable import fob

/// The backup that a core makes of its records.
struct RecordsTests {
  @Test func `backups that are asked for meanwhile are one, and a stop waits for no more`() throws {
    let (began, gate) = (try OneShot<Void>(), try OneShot<Void>())
    let made = Mutex(0)
    @Sendable func make() -> StateBackup.Outcome {
      made.withLock { $0 += 1 }
      began.open(with: ())
      // Open from then on.
      try? gate.pass()
      return .made
    }
    let records = Records(hasBackup: { false }, make: make)
    records.start()
    try began.pass()
    for _ in 1...1_000 { records.start() }
    gate.open(with: ())
    records.stop()
    #expect((2...3).contains(made.withLock { $0 }))
  }
}
