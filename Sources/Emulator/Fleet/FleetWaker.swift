import SerialIO
import Synchronization

/// Who of a fleet is called on, and whether its thread has to be woken for that: while it is awake,
/// or calls on itself, no system call is made. Each member waits here once, however often it is
/// called.
final class FleetWaker: Sendable {
  private struct State {
    var called: [Int] = []
    /// By member.
    var isCalled: [Bool] = []
    var arrivals: [FleetThread.Arrival] = []
    var leavings: [FleetThread.Leaving] = []
    var isOpen = true
    var sleeps = false
  }

  /// What a thread finds when it looks up.
  struct Calls {
    var isOpen = true
    var arrivals: [FleetThread.Arrival] = []
    var leavings: [FleetThread.Leaving] = []
  }

  private let signal: EventSignal
  private let state = Mutex(State())

  init() throws(IOFailure) { signal = try EventSignal() }

  /// Readable when the thread that sleeps is called.
  var descriptor: Int32 { signal.descriptor }

  func ring(_ member: Int) {
    change { state in
      while state.isCalled.count <= member { state.isCalled.append(false) }
      guard !state.isCalled[member] else { return }
      state.isCalled[member] = true
      state.called.append(member)
    }
  }

  /// False when the thread ends: nobody will be let in.
  func arrive(_ arrival: FleetThread.Arrival) -> Bool {
    change { state in
      if state.isOpen { state.arrivals.append(arrival) }
      return state.isOpen
    }
  }

  /// False when the thread ends: all have left then.
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

  /// - Parameter called: filled with the members that were called.
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

  /// The thread is about to sleep. False if it has been called meanwhile and may not.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.sleeps =
        state.called.isEmpty && state.arrivals.isEmpty && state.leavings.isEmpty && state.isOpen
      return state.sleeps
    }
  }

  func wakeUp() { state.withLock { $0.sleeps = false } }

  /// The descriptor is readable no longer, until the next call that finds the thread asleep.
  func clear() { signal.clear() }
}

/// The waker of one member.
struct MemberWaker: Waker {
  let waker: FleetWaker
  let member: Int

  func ring() { waker.ring(member) }
}
