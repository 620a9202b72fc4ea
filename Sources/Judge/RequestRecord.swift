import FobBase

/// The requests of people to one host, and its answers.
struct RequestRecord: Sendable {
  struct Request: Sendable {
    let number: UInt64
    let userRequest: UserRequest
    let askedAt: Instant
    let order: Int
    /// The incident that was current when it was asked; 0: none.
    let incident: UInt64
    let wasAcknowledged: Bool
    /// An alarm of the account was open.
    let wasLocked: Bool
    /// A trigger that must open an incident.
    var isOwed = false
  }

  private var waiting: [Request] = []
  private var answered: Set<UInt64> = []
  /// Requests to a run that has stopped: answered once or never.
  private var excused: Set<UInt64> = []

  mutating func ask(_ request: Request) {
    waiting.append(request)
    answered.remove(request.number)
    excused.remove(request.number)
  }

  /// - Returns: the request, nil where no request of this run waits for the answer; and whether the
  ///   answer is one too many.
  mutating func answer(_ number: UInt64) -> (request: Request?, isDoubled: Bool) {
    if let index = waiting.firstIndex(where: { $0.number == number }) {
      answered.insert(number)
      return (waiting.remove(at: index), false)
    }
    if excused.remove(number) != nil {
      answered.insert(number)
      return (nil, false)
    }
    return (nil, true)
  }

  mutating func forgetWaiting() {
    for request in waiting { excused.insert(request.number) }
    waiting = []
  }

  /// Whether somebody has asked for this and was not refused, as far as is known.
  func waits(_ isMeant: (UserRequest) -> Bool) -> Bool {
    waiting.contains { isMeant($0.userRequest) }
  }

  var asksForEnd: Bool { waits { $0 == .disarm || $0 == .cancel } }

  func unanswered(since latest: Instant) -> [Request] { waiting.filter { $0.askedAt <= latest } }
}
