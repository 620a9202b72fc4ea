import FobBase

/// Where an incident stands (R40 to R47, with G2 to G4): each case carries what only it has. From
/// case to case leads one of the functions below, and nothing else.
enum Phase: Equatable, Sendable {
  case open(Stage)
  case ended(End)
}

/// How far an open incident has come.
enum Stage: Equatable, Sendable {
  /// Nobody is told before its end.
  case countdown(ends: Timestamp)
  case sending(Sending)
  /// Nobody has accepted a message in time, or there is nobody; it is tried on (R46).
  case failed(Sending)
  /// Somebody beyond this host has accepted one (R45).
  case sent(Sending, at: Timestamp)

  struct Sending: Equatable, Sendable {
    /// Of the countdown in front of it.
    var countdownEnds: Timestamp?
    /// Location tracking began (R55, G3).
    var since: Timestamp
  }
}

/// All but `isLeft` is unknown of an incident that was made anew from what else named it.
struct End: Equatable, Sendable {
  /// How far it had come; of sending that failed, sending.
  var stage: Stage?
  var reason: EndReason?
  var at: Timestamp?
  /// At a disarm by PIN: by what a press that comes later may be proved to be older (`PressAge`).
  var seenAtDisarm: [SeenEvent] = []
  /// A person, or a new press, has gone on from it.
  var isLeft = false
}

/// A step along R40's graph.
public struct Transition: Hashable, Sendable, CustomStringConvertible {
  /// The state before.
  public let from: EmergencyState
  /// The state after.
  public let to: EmergencyState

  /// Does not check that the graph has this step.
  package init(from: EmergencyState, to: EmergencyState) { (self.from, self.to) = (from, to) }

  public var description: String { "\(from.rawValue) → \(to.rawValue)" }
}

extension Phase {
  var state: EmergencyState {
    switch self {
    case .open(.countdown): .alertCountdown
    case .open(.sending): .emergencySending
    case .open(.failed): .emergencySendingFailed
    case .open(.sent): .emergencySent
    case .ended(let end): end.isLeft ? .noEmergency : .emergencyEnded
    }
  }

  /// The one that is left once the incident is over, too.
  var stage: Stage? {
    switch self {
    case .open(let stage): stage
    case .ended(let end): end.stage
    }
  }

  var end: End? { if case .ended(let end) = self { end } else { nil } }
}

extension Stage {
  var sending: Sending? {
    switch self {
    case .countdown: nil
    case .sending(let sending), .failed(let sending), .sent(let sending, _): sending
    }
  }

  var sentAt: Timestamp? { if case .sent(_, let at) = self { at } else { nil } }

  var countdownEnds: Timestamp? {
    if case .countdown(let ends) = self { ends } else { sending?.countdownEnds }
  }

  /// Each moment that something is counted from, as `moved` gives it.
  func rebased(_ moved: (Timestamp) -> Timestamp) -> Stage {
    func rebased(_ sending: Sending) -> Sending {
      Sending(countdownEnds: sending.countdownEnds, since: moved(sending.since))
    }
    return switch self {
    case .countdown(let ends): .countdown(ends: moved(ends))
    case .sending(let sending): .sending(rebased(sending))
    case .failed(let sending): .failed(rebased(sending))
    case .sent(let sending, let at): .sent(rebased(sending), at: moved(at))
    }
  }
}

/// The six states of an emergency (R40).
public enum EmergencyState: String, Codable, Sendable, CaseIterable {
  case noEmergency = "NO_EMERGENCY"
  case alertCountdown = "ALERT_COUNTDOWN"
  case emergencySending = "EMERGENCY_SENDING"
  case emergencySent = "EMERGENCY_SENT"
  case emergencySendingFailed = "EMERGENCY_SENDING_FAILED"
  case emergencyEnded = "EMERGENCY_ENDED"

  /// Somebody may need help now: presses are entries of this incident.
  public var isOpen: Bool {
    switch self {
    case .alertCountdown, .emergencySending, .emergencySent, .emergencySendingFailed: true
    case .noEmergency, .emergencyEnded: false
    }
  }
}

/// Why an incident ended.
public enum EndReason: String, Codable, Sendable, CaseIterable {
  /// By PIN (R38, R42, R52).
  case disarmed
  /// Cancelled where no PIN is set.
  case cancelled
  /// What a bench or a unclaimed keychain had raised gave way to a live one's alarm.
  case gaveWay
  /// Thirty minutes of tracking are over (R45).
  case trackingOver
}
