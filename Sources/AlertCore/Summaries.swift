import FobBase
import WireProtocol

extension Happening {
  init(_ name: Name, at: Moment, device: DeviceID?, detail: String? = nil) {
    self.init(name, at: at, detail: detail)
    self.device = device?.text
  }
}

extension EventKind {
  /// Spelt out: a press waits for it, and interpolating the case asks the runtime for its name.
  fileprivate var word: String {
    switch self {
    case .pressed: "pressed"
    case .released: "released"
    case .booted: "booted"
    case .batteryLow: "batteryLow"
    case .batteryCritical: "batteryCritical"
    case .batteryRecovered: "batteryRecovered"
    case .fault: "fault"
    }
  }
}

extension EventRecord {
  /// In words, for the log.
  func summary(_ meaning: PressDetector.Meaning) -> String {
    var words = identity.kind?.word ?? "kind \(identity.rawKind)"
    if flags.contains(.atBoot) { words += ", held at boot" }
    if flags.contains(.replayed) { words += ", replayed" }
    if flags.contains(.merged) { words += ", stands for \(covered)" }
    if flags.contains(.volatile) { words += ", not stored by the device" }
    switch meaning {
    case .alarm: return words + ": alarm"
    case .open: return words + ": not known yet what it means"
    case .acknowledge, .slot, .noted: return words
    }
  }
}

extension PressDetector.Verdict {
  /// In words, for the log.
  var summary: String {
    (reason.isEmpty ? meaning.rawValue : "\(reason): \(meaning.rawValue)")
      + (isAgeUnknown ? ", age unknown" : "")
  }
}

extension Notification {
  func summary(_ error: String?) -> String {
    let attempt = attempts > 1 ? ", attempt \(attempts)" : ""
    return "\(kind.rawValue) \(sequence)\(attempt)" + (error.map { ": \($0)" } ?? "")
  }
}

extension Position {
  /// A fix as the device reports it; nil without a position.
  init?(_ fix: PositionFix, at now: Moment) {
    guard fix.quality != .none else { return nil }
    self.init(
      latitude: fix.latitude, longitude: fix.longitude, quality: fix.quality.rawValue,
      wall: now.wall)
  }
}
