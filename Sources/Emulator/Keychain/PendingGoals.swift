import FobBase

/// Those who wait for something to become true, at most 64.
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
