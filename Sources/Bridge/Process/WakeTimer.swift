import AlertCore
import FobBase
import SerialIO
import Synchronization

/// Wakes accounts when something of theirs is due, on a thread of its own, by the core's clock.
final class WakeTimer: Sendable {
  private struct State {
    var wakes = WakeHeap()
    /// What the timer is set to.
    var armed: Instant?
    var isStopped = false
  }

  private let state = Mutex(State())
  private let clock: HostClock
  private let alarm: TimerFD
  /// People are asked by the wall clock, which may be set at any time.
  private let wallClock: WallClockWatch
  private let stopSignal: EventSignal

  init(_ clock: HostClock) throws(IOFailure) {
    self.clock = clock
    alarm = try TimerFD()
    wallClock = try WallClockWatch()
    stopSignal = try EventSignal()
  }

  /// Sets when an account is to be woken next; nil: nothing of it is due.
  func set(_ wake: Instant?, for account: AccountNumber) {
    state.withLock { state in
      state.wakes.set(wake, for: account)
      arm(&state)
    }
  }

  /// The clock was moved: what the timer was set to is another time now.
  func clockMoved() {
    state.withLock { state in
      state.armed = nil
      arm(&state)
    }
  }

  /// - Parameter wake: called on the thread for each account whose time has come, and for every
  ///   account when the wall clock was set.
  func start(
    _ wake: @escaping @Sendable (AccountNumber) -> Void,
    everyone: @escaping @Sendable () -> [AccountNumber]
  ) throws(IOFailure) -> BlockingThread {
    try BlockingThread(name: "timer") { [self] in loop(wake, everyone) }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    stopSignal.signal()
  }

  private func loop(_ wake: (AccountNumber) -> Void, _ everyone: () -> [AccountNumber]) {
    while true {
      try? Syscall.awaitEither(alarm.descriptor, stopSignal.descriptor, or: wallClock.descriptor)
      alarm.clear()
      let due: [AccountNumber]? = state.withLock { state in
        guard !state.isStopped else { return nil }
        state.armed = nil
        return state.wakes.takeDue(at: clock.now())
      }
      guard let due else { return }
      for account in wallClock.clear() ? everyone() : due { wake(account) }
      state.withLock { arm(&$0) }
    }
  }

  /// It is only set earlier, never later: a timer that fires too early finds nothing to do.
  private func arm(_ state: inout State) {
    guard let first = state.wakes.first else { return }
    if let armed = state.armed, armed <= first { return }
    state.armed = first
    alarm.set(at: clock.own(first))
  }
}

/// One wake for each account, the earliest first: a binary heap in which each account knows its
/// place. Pure.
struct WakeHeap {
  private var wakes: [(at: Instant, account: AccountNumber)] = []
  private var places: [AccountNumber: Int] = [:]

  var first: Instant? { wakes.first?.at }

  mutating func set(_ wake: Instant?, for account: AccountNumber) {
    guard let wake else { return remove(account) }
    if let place = places[account] {
      wakes[place].at = wake
      settle(place)
    } else {
      wakes.append((wake, account))
      places[account] = wakes.count - 1
      settle(wakes.count - 1)
    }
  }

  /// Removes the wakes that are due.
  /// - Returns: whose they are, the earliest first.
  mutating func takeDue(at now: Instant) -> [AccountNumber] {
    var due: [AccountNumber] = []
    while let first = wakes.first, first.at <= now {
      due.append(first.account)
      remove(first.account)
    }
    return due
  }

  private mutating func remove(_ account: AccountNumber) {
    guard let place = places.removeValue(forKey: account) else { return }
    let last = wakes.removeLast()
    guard place < wakes.count else { return }
    wakes[place] = last
    places[last.account] = place
    settle(place)
  }

  /// Moves a wake up or down to where it belongs.
  private mutating func settle(_ start: Int) {
    var place = start
    while place > 0, wakes[place].at < wakes[(place - 1) / 2].at {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    while true {
      let children = (2 * place + 1..<2 * place + 3).clamped(to: 0..<wakes.count)
      guard let least = children.min(by: { wakes[$0].at < wakes[$1].at }),
        wakes[least].at < wakes[place].at
      else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    wakes.swapAt(one, other)
    places[wakes[one].account] = one
    places[wakes[other].account] = other
  }
}
