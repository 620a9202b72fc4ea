/// What a scenario waits for: a line of the keychain's or the bridge's stream whose fields have
/// these values.
struct EventPattern {
  /// By name. `event: last` stands for the last press of the scenario.
  var fields: [String: String]

  /// What a pattern may name first.
  static let subjects = ["happening", "alarm", "light", "notice", "keychain"]

  func matches(_ event: [String: String], last press: String?) -> Bool {
    fields.allSatisfy { name, wanted in
      guard let actual = event[name] else { return false }
      if name == "notice" { return actual.contains(wanted) }
      return actual == (name == "event" && wanted == "last" ? press ?? "" : wanted)
    }
  }
}
