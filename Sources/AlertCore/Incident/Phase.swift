import FobBase

/// The phase of an incident (R40 to R47, with G2 to G4). Each case carries what only it has. Only
/// the transitions of `Incident` lead from case to case.
enum Phase: Equatable, Sendable {
  case open(Stage)
  case ended(End)
}

/// How far an open incident has come.
enum Stage: Equatable, Sendable {
  /// Nobody is told before the countdown ends.
  case countdown(ends: Timestamp)
  case sending(Sending)
  /// Nobody has accepted a message in time, or there are no recipients; attempts go on (R46).
  case failed(Sending)
  /// Somebody beyond this host has accepted a message (R45).
  case sent(Sending, at: Timestamp)

  struct Sending: Equatable, Sendable {
    /// The end of the countdown before it; nil: there was none.
    var countdownEnds: Timestamp?
    /// When location tracking began (R55, G3).
    var since: Timestamp
  }
}

/// How an incident ended. Of one that was rebuilt from damaged records only `isLeft` is known.
struct End: Equatable, Sendable {
  /// The last stage; sending that had failed is kept as sending.
  var stage: Stage?
  var reason: EndReason?
  var at: Timestamp?
  /// At a disarm by PIN: events that may prove a later press older (`PressAge`).
  var seenAtDisarm: [SeenEvent] = []
  /// A person has resumed, or a new press has opened the next incident.
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

  /// The stage; of an ended incident the last one.
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

  /// The stage with each time that something is counted from replaced by `moved` of it.
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

  /// Somebody may need help now: presses become entries of this incident.
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
  /// Raised by a bench or an unclaimed keychain, it gave way to a live alarm.
  case gaveWay
  /// Thirty minutes of tracking are over (R45).
  case trackingOver
  /// Another account has claimed the keychain and goes on with its presses.
  case moved
}
