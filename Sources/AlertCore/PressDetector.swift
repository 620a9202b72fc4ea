public import WireProtocol

/// Turns edges into meaning: the device reports facts, policy stands here.
///
/// Profile `literal` (the default; S0: pressing the button raises the alarm): any pressed event
/// raises it, whatever its age; a release says nothing.
public struct PressDetector: Sendable {
  public enum Meaning: String, Codable, Sendable {
    case alarm
    /// Recorded, not acted on.
    case noted
  }

  public init() {}

  public mutating func meaning(of kind: EventKind?) -> Meaning {
    kind == .pressed ? .alarm : .noted
  }
}
