import FobBase

/// Presses that have begun and have no event yet, the oldest first.
struct PendingPresses {
  private struct Press {
    var firstEdge: Instant
    var complete: CommandQueue.Completion
  }

  private var presses: [Press] = []

  /// - Parameter firstEdge: later than that of every press before.
  mutating func add(firstEdge: Instant, _ complete: @escaping CommandQueue.Completion) {
    presses.append(Press(firstEdge: firstEdge, complete: complete))
  }

  /// Answers the press that the firmware has committed. Its `firstEdge` may be later than the
  /// finger's, because of bounce.
  mutating func committed(_ number: EventNumber, firstEdge: Instant) {
    guard let index = presses.lastIndex(where: { $0.firstEdge <= firstEdge }) else { return }
    presses.remove(at: index).complete(.success(.event(number)))
  }

  var nextDeadline: Instant? {
    presses.first.map { $0.firstEdge + EmulatorCommand.pressPatience }
  }

  mutating func expire(at now: Instant, isPowered: Bool) {
    while let due = nextDeadline, due <= now {
      let reason =
        isPowered
        ? "the firmware committed no event for it: hold longer than the debounce time"
        : "the keychain has no power"
      presses.removeFirst().complete(
        .failure(CommandRefusal("the press came to nothing: \(reason)")))
    }
  }

  mutating func refuseAll(_ refusal: CommandRefusal) {
    for press in presses { press.complete(.failure(refusal)) }
    presses.removeAll()
  }
}

/// Commands that wait for a goal, at most 64.
struct PendingGoals {
  static let most = 64

  private struct Wait {
    var goal: EmulatorCommand.Goal
    var deadline: Instant
    var complete: CommandQueue.Completion
  }

  private var waits: [Wait] = []

  mutating func add(
    _ goal: EmulatorCommand.Goal, until deadline: Instant,
    _ complete: @escaping CommandQueue.Completion
  ) {
    guard waits.count < Self.most else {
      return complete(.failure(CommandRefusal("too many wait already: try again later")))
    }
    waits.append(Wait(goal: goal, deadline: deadline, complete: complete))
  }

  var nextDeadline: Instant? { waits.map(\.deadline).min() }

  mutating func settle(at now: Instant, _ isReached: (EmulatorCommand.Goal) -> Bool) {
    waits.removeAll { wait in
      if isReached(wait.goal) {
        wait.complete(.success(.done))
      } else if wait.deadline <= now {
        wait.complete(.failure(CommandRefusal("not yet \(wait.goal.text): wait again")))
      } else {
        return false
      }
      return true
    }
  }

  mutating func refuseAll(_ refusal: CommandRefusal) {
    for wait in waits { wait.complete(.failure(refusal)) }
    waits.removeAll()
  }
}

extension EmulatorCommand.Goal {
  fileprivate var text: String {
    switch self {
    case .ready: "ready"
    case .linked: "linked"
    case .acked(let number): "acked: event \(number.text)"
    }
  }
}
