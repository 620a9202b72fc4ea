import FobBase
import SerialIO
import Synchronization

/// The thread that makes each press when it is due, whatever became of those before.
final class PressScheduler: Sendable {
  private let made = Mutex<[PressSchedule.Press]>([])
  private let failed = Mutex<String?>(nil)
  private let stopSignal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameters:
  ///   - presses: in order of their due times, µs on the boot clock.
  ///   - press: called `lead` before each is due; it must not wait.
  init(
    _ presses: [PressSchedule.Press], lead: Interval,
    press: @escaping @Sendable (PressSchedule.Press) throws -> Void
  ) throws(IOFailure) {
    stopSignal = try EventSignal()
    made.withLock { $0.reserveCapacity(presses.count) }
    let alarm = try TimerFD()
    let body = Body(alarm: alarm)
    let thread = try BlockingThread(name: "finger") { [self] in
      for next in presses {
        if isStopped(before: Instant(microseconds: next.due) + (.zero - lead), body) { return }
        made.withLock { $0.append(next) }
        do { try press(next) } catch { return failed.withLock { $0 = "\(error)" } }
      }
    }
    self.thread.withLock { $0 = thread }
  }

  private final class Body: Sendable {
    let alarm: TimerFD
    init(alarm: consuming TimerFD) { self.alarm = alarm }
  }

  /// Waits until then.
  private func isStopped(before timestamp: Instant, _ body: Body) -> Bool {
    body.alarm.set(at: timestamp)
    try? Syscall.awaitEither(body.alarm.descriptor, stopSignal.descriptor)
    return (try? Syscall.poll(stopSignal.descriptor, for: 1, until: Instant(microseconds: 0))) != 0
  }

  /// Those whose time has come.
  var presses: [PressSchedule.Press] { made.withLock { $0 } }

  /// Why the finger gave up.
  var failure: String? { failed.withLock { $0 } }

  func stop() {
    stopSignal.signal()
    _ = thread.withLock { $0 }?.join(within: .seconds(5))
  }
}
