import Capture
import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// A player shared by whoever brings bytes and whoever waits for the end.
final class Replay: Sendable {
  let script: ReplayScript
  private let player: Mutex<ReplayPlayer>
  private let notes = Mutex<[String]>([])
  /// Signalled when there is something to look at.
  let changed: EventSignal

  init(
    _ script: ReplayScript, pace: ReplayPlayer.Pace, patience: Interval,
    keys: [DeviceID: PairingKey]
  ) throws(IOFailure) {
    self.script = script
    player = Mutex(
      ReplayPlayer(
        script, pace: pace, patience: patience, keys: keys, nonce: .random(in: 0 ... .max)))
    changed = try EventSignal()
  }

  var hasBegun: Bool { player.withLock { $0.hasBegun } }
  var isProved: Bool { player.withLock { $0.isProved } }
  var obstacle: SealObstacle? { player.withLock { $0.obstacle } }
  var played: Int { player.withLock { $0.played } }
  var comparison: ReplayComparison {
    ReplayComparison(script, now: player.withLock { $0.heardMeanings })
  }

  func opened(at now: Instant) { player.withLock { $0.opened(at: now) } }

  /// A line that goes before the playing has begun may come again.
  func gone(_ reason: String) {
    guard hasBegun else { return }
    player.withLock { $0.gone() }
    say("the \(script.end == .device ? "host" : "device") left: \(reason)")
    changed.signal()
  }

  func heard(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    player.withLock { $0.heard(bytes, at: now) }
  }

  func nextBytes(at now: Instant) -> [UInt8]? { player.withLock { $0.nextBytes(at: now) } }
  func nextWake(at now: Instant) -> Instant? { player.withLock { $0.nextWake(at: now) } }
  func isFinished(at now: Instant) -> Bool { player.withLock { $0.isFinished(at: now) } }

  func say(_ note: String) { notes.withLock { $0.append(note) } }

  /// What was said since the last call.
  func takeNotes() -> [String] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }
}
