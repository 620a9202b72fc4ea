import AlertCore
import Emulator
import FobBase
import WireProtocol

/// A machine that has a core, and the run of its process: one of two on one store.
final class LeadCore {
  let index: Int
  let clock: BoardClock
  var random: SplitMix64
  /// The process; nil while it is down.
  var run: LeadRun?
  /// Until then the process stands still.
  var pausedUntil = Instant(microseconds: 0)
  /// No word goes to the server or comes from it.
  var isCutOff = false
  /// Over all its runs.
  var connections: Set<Int> = []

  init(_ index: Int, drift: Int32, seed: UInt64) {
    self.index = index
    clock = BoardClock(
      bootedAt: Instant(microseconds: -Int64(index + 1) * 3_600_000_000), driftPPM: drift)
    random = SplitMix64(state: seed)
  }

  /// Of its connections, in the server's list: its folder has one process at a time.
  var name: String { "core \(index)" }

  func timestamp(at now: Instant) -> Timestamp {
    Timestamp(
      boot: UInt64(index + 1), instant: clock.reading(at: now),
      wall: Setting.wallClock + now.microseconds)
  }
}

/// One run of a core's process, wired as `PostgresWriter`, `PostgresBeat` and `SinkQueues` wire it.
final class LeadRun {
  /// Of this process: drawn at random.
  let holder: String
  var watch = LeaderWatch()
  var proof = LeadProof(tookAt: Instant(microseconds: 0))
  /// The alarm core, once this process leads.
  var core: AlertCore?
  var output = CoreOutput()
  /// Nil: lost, or not made.
  var connection: Int?
  var beatConnection: Int?
  // The thread that commits
  var batches = FencedBatches<WrittenBatch>()
  /// Each with whether the alarm core was told that it is durable, which is a planted mistake.
  var waiting: [(batch: CommitBatch, isTold: Bool)] = []
  var isCommitting = false
  /// What a batch has written that the alarm core was told had failed.
  var written: WrittenBatch?
  // The notification channel
  var messages: [Notification] = []
  var isSending = false
  /// The wake that is on the agenda.
  var wake = Instant.never

  init(holder: String) { self.holder = holder }
}
