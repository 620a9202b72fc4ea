import AlertCore
public import FobBase
import Glibc
import SerialIO
import Synchronization

/// What the commit thread does.
enum CommitWork: Sendable {
  case batch(CommitBatch)
  /// Answers that it is there.
  case answer
}

/// A thread's answer that it is there. One that asks waits; whoever asks again before it has
/// answered waits for the same.
final class LifeSign: Sendable {
  private let given: EventSignal
  private let isAsked = Atomic(false)

  init() throws(IOFailure) { given = try EventSignal() }

  /// Called by the thread that is asked.
  func give() {
    isAsked.store(false, ordering: .releasing)
    given.signal()
  }

  /// - Parameter ask: has that thread call `give` soon; not called again before it has.
  /// - Returns: false where it has not by the deadline.
  func comes(by deadline: Instant, ask: () -> Void) -> Bool {
    given.clear()
    if !isAsked.exchange(true, ordering: .acquiringAndReleasing) { ask() }
    return ((try? Syscall.poll(given.descriptor, for: POLLIN, until: deadline)) ?? 0) != 0
  }
}

/// The readers of devices' lines, each asked for a turn.
enum ReaderSigns {
  /// - Returns: a line whose reader does not turn by the deadline; nil where all do.
  static func silent(of sessions: [DeviceSession], by deadline: Instant) -> DeviceSession? {
    let before = sessions.map { $0.askForTurn() }
    for (session, turns) in zip(sessions, before) {
      guard let turns else { continue }
      while session.isOpen, session.turns == turns {
        guard BootClock.now() < deadline else { return session }
        var nothing = pollfd()
        _ = try? Syscall.poll(&nothing, count: 0, until: BootClock.now() + .milliseconds(2))
      }
    }
    return nil
  }
}

extension AlertBridge {
  /// Why a press could not be decided, committed and acked now; nil where it could: the core
  /// decides, the commit thread answers, and so does the reader of each open line. A thread that
  /// holds the core's lock for ever keeps this one, too.
  public func obstacleToPress(within patience: Interval) -> String? {
    let deadline = BootClock.now() + patience
    handle(.wake)
    guard commitSign.comes(by: deadline, ask: { _ = commits.put(.answer) }) else {
      return "the commit thread does not answer"
    }
    return ReaderSigns.silent(of: sessions.withLock { $0 }, by: deadline)
      .map { "the reader of \($0.spec) does not answer" }
  }
}
