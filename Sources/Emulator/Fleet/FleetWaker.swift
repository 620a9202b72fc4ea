import SerialIO
import Synchronization

/// The members of a fleet that are called, and the wake-up of its thread. A call makes a system
/// call only if the thread sleeps. A member waits here once, however often it is called.
final class FleetWaker: Sendable {
  private struct State {
    var called: [Int] = []
    /// Whether each member is in `called`.
    var isCalled: [Bool] = []
    var arrivals: [FleetThread.Arrival] = []
    var leavings: [FleetThread.Leaving] = []
    var isOpen = true
    var sleeps = false
  }

  /// What the thread takes at each round.
  struct Calls {
    var isOpen = true
    var arrivals: [FleetThread.Arrival] = []
    var leavings: [FleetThread.Leaving] = []
  }

  private let signal: EventSignal
  private let state = Mutex(State())

  init() throws(IOFailure) { signal = try EventSignal() }

  /// Readable when the thread was called while it slept.
  var descriptor: Int32 { signal.descriptor }

  func ring(_ member: Int) {
    change { state in
      while state.isCalled.count <= member { state.isCalled.append(false) }
      guard !state.isCalled[member] else { return }
      state.isCalled[member] = true
      state.called.append(member)
    }
  }

  /// False when the thread ends: the keychain is not added.
  func arrive(_ arrival: FleetThread.Arrival) -> Bool {
    change { state in
      if state.isOpen { state.arrivals.append(arrival) }
      return state.isOpen
    }
  }

  /// False when the thread ends: all members leave then.
  func leave(_ leaving: FleetThread.Leaving) -> Bool {
    change { state in
      if state.isOpen { state.leavings.append(leaving) }
      return state.isOpen
    }
  }

  func close() { change { $0.isOpen = false } }

  private func change<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, isAsleep) = state.withLock { state in
      defer { state.sleeps = false }
      return (change(&state), state.sleeps)
    }
    if isAsleep { signal.signal() }
    return result
  }

  // MARK: The thread's side

  /// Takes all calls so far.
  /// - Parameter called: gets the members that were called; its former content is dropped.
  func take(into called: inout [Int]) -> Calls {
    state.withLock { state in
      swap(&called, &state.called)
      state.called.removeAll(keepingCapacity: true)
      for member in called { state.isCalled[member] = false }
      defer { (state.arrivals, state.leavings) = ([], []) }
      return Calls(
        isOpen: state.isOpen, arrivals: state.arrivals, leavings: state.leavings)
    }
  }

  /// Tells that the thread is about to sleep. False if it was called meanwhile: it must not sleep
  /// then.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.sleeps =
        state.called.isEmpty && state.arrivals.isEmpty && state.leavings.isEmpty && state.isOpen
      return state.sleeps
    }
  }

  func wakeUp() { state.withLock { $0.sleeps = false } }

  /// Makes the descriptor unreadable until the next call that finds the thread asleep.
  func clear() { signal.clear() }
}

/// The waker of one member.
struct MemberWaker: Waker {
  let waker: FleetWaker
  let member: Int

  func ring() { waker.ring(member) }
}
