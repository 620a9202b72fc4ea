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
