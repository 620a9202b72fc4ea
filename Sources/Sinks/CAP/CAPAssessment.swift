import AlertCore

/// What CAP asks of every event: what to do, how soon, how bad it is and how sure. Each word says
/// what is known and no more; where nothing is, it is Unknown.
struct CAPAssessment: Equatable, Sendable {
  /// What the receiver is asked to do; nil: nothing.
  let responseType: String?
  let urgency: String
  let severity: String
  let certainty: String

  /// One of the owner's own messages: only who reads it knows.
  static let ofOwnMessage = CAPAssessment(
    responseType: nil, urgency: "Unknown", severity: "Unknown", certainty: "Unknown")

  /// The incident is over. Where its owner has said so it is all clear; else nobody knows how they
  /// are, and somebody should look: the alarm may go on at another account.
  static func ofEnd(isClear: Bool) -> CAPAssessment {
    isClear
      ? CAPAssessment(
        responseType: "AllClear", urgency: "Past", severity: "Minor", certainty: "Observed")
      : CAPAssessment(
        responseType: "Assess", urgency: "Expected", severity: "Unknown", certainty: "Unknown")
  }

  /// An alarm. Who presses says that they are in danger. A press without its keychain's proof may
  /// be anybody's, and behind a fall or an unanswered check-in may be less than an emergency.
  /// - Parameter isCountdown: the owner may still stop it, before anybody is told.
  static func ofAlarm(
    isPressed: Bool, isUnproved: Bool, isCountdown: Bool = false
  ) -> CAPAssessment {
    CAPAssessment(
      responseType: "Assess", urgency: isCountdown ? "Expected" : "Immediate",
      severity: isPressed && !isUnproved ? "Severe" : "Unknown",
      certainty: isUnproved ? "Unknown" : isPressed ? "Observed" : "Possible")
  }
}
