import FobBase
import WireProtocol

extension EventIdentity {
  /// The id of the incident that this press would open, as INDICATE carries it.
  var incidentName: UInt64 { UInt64(crc) << 32 | UInt64(number.n) }

  /// The event in words.
  var text: String { "event \(number.text) of \(deviceID.text)" }

  func isBefore(_ other: EventIdentity) -> Bool {
    (deviceID.rawValue, number.rawValue, clock, bootNonce, rawKind)
      < (
        other.deviceID.rawValue, other.number.rawValue, other.clock, other.bootNonce, other.rawKind
      )
  }
}

extension Event {
  var isPress: Bool { identity.kind == .pressed }

  /// Whether it stands for that press, too.
  func covers(_ press: EventIdentity) -> Bool {
    flags.contains(.merged) && press.deviceID == identity.deviceID
      && firstCovered <= press.number && press.number <= identity.number
  }
}

extension ShownState {
  /// Whether it says that somebody has heard, or that nothing is wrong.
  var claimsNothingWaits: Bool {
    switch self {
    case .accepted, .acknowledged, .ended, .idle, .due, .breathing: true
    default: false
    }
  }

  /// It is about what stands beside the alarm.
  var isOfCompanion: Bool { self == .due || self == .breathing }

  /// It says that nothing is wrong. A keychain with a low battery shows that in its place.
  var claimsCalm: Bool { self == .idle || self == .lowBattery || self == .ended }

  var claimsHelp: Bool { self == .accepted || self == .acknowledged }

  var isOpen: Bool {
    switch self {
    case .countdown, .sending, .accepted, .acknowledged, .failed: true
    default: false
    }
  }
}

extension Workflow {
  /// People are being told, or were.
  var isTold: Bool { isOpen && self != .alertCountdown }

  /// Whether R40's graph has this step.
  func canBecome(_ next: Workflow) -> Bool {
    switch self {
    case .noEmergency: next == .alertCountdown || next == .emergencySending
    case .alertCountdown: next == .emergencySending || next == .emergencyEnded
    case .emergencySending:
      next == .emergencySent || next == .emergencySendingFailed || next == .emergencyEnded
    case .emergencySendingFailed: next == .emergencySent || next == .emergencyEnded
    case .emergencySent: next == .emergencyEnded
    case .emergencyEnded: next == .noEmergency
    }
  }
}

extension UserRequest {
  /// What was asked for, without the plans of check-ins, which take lines.
  var text: String {
    switch self {
    case .addSeries: "a new series"
    case .editSeries(let id, _): "an edit of series \(id)"
    case .complete(let name): "the answer to \(name.text)"
    case .saveAnswer(let review, let step, _, _): "answer \(step) of review \(review)"
    case .restore(let name): "the restoring of \(name.text)"
    default: "\(self)"
    }
  }
}

extension UInt64 {
  /// An incident's id in words.
  var incident: String { "incident " + String(self, radix: 16) }
}
