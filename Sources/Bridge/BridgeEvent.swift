public import AlertCore
public import WireProtocol

/// What whoever watches a bridge is told, in order.
public enum BridgeEvent: Sendable {
  case auditEvent(AuditEvent)
  /// Something about a line that is no part of the log: noise, a device that cannot be opened.
  case notice(Notice)
  case stages(PressStages)
  /// As the keychain says it; each second it is said again, so a lost word does not stand for long.
  case led(device: String, LinkEvent.Light)
  case located(device: String, PositionFix)

  static func notice(_ level: Notice.Level, _ text: String) -> BridgeEvent {
    .notice(Notice(level: level, text: text))
  }

  public struct Notice: Codable, Equatable, Sendable {
    public enum Level: String, Codable, Sendable { case info, warning, error }

    public let level: Level
    public let text: String
  }
}
