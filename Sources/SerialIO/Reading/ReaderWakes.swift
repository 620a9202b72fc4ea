package import FobBase
import Synchronization

/// What wakes a reader's thread besides its device: the word of another thread, and a deadline.
package struct ReaderWakes: ~Copyable, Sendable {
  private let event: EventSignal
  private let alarm: TimerFD
  private let isWanted = Atomic(false)

  package init() throws(IOFailure) {
    let event = try EventSignal()
    let alarm = try TimerFD()
    self.event = event
    self.alarm = alarm
  }

  /// Readable after ``signal()`` and ``wake()``, until ``take(_:isAlarm:at:next:)``.
  package var signalled: Int32 { event.descriptor }
  /// Readable when the deadline has come.
  package var alarmed: Int32 { alarm.descriptor }

  /// Has the thread look round, from any thread.
  package func signal() { event.signal() }

  /// Has the handler called soon, from any thread.
  package func wake() {
    isWanted.store(true, ordering: .releasing)
    event.signal()
  }

  /// Sets the timer only for what is earlier than it says now. A deadline that moved on costs one
  /// needless wake instead of a system call for every frame.
  package func arm(_ armed: inout Instant?, for next: Instant?) {
    guard let next else { return }
    if let armed, armed <= next { return }
    alarm.set(at: next)
    armed = next
  }

  /// Takes what has woken the thread; true when the handler is due.
  package func take(
    _ armed: inout Instant?, isAlarm: Bool, at now: Instant, next: () -> Instant?
  ) -> Bool {
    event.clear()
    let isWanted = isWanted.exchange(false, ordering: .acquiring)
    guard isAlarm else { return isWanted }
    alarm.clear()
    armed = nil
    if let next = next(), next <= now { return true }
    return isWanted
  }
}
