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

/// The stamps of one press, in µs on the host's boot clock (performance.md: t0 to t5). The
/// device's own were carried over by the fitted clock and are as uncertain as `uncertainty` says.
public struct PressStages: Codable, Equatable, Sendable {
  /// "boot.n"
  public let event: String
  public let device: String
  /// t0, the first edge.
  public var edge: Int64?
  /// tc, committed by the firmware.
  public var stored: Int64?
  /// t1, frame written.
  public var written: Int64?
  /// t2, the bridge's read returned.
  public var read: Int64
  /// t3, the engine has decided.
  public var decided: Int64
  /// t4, durable.
  public var durable: Int64?
  /// t5, acked at the device.
  public var acked: Int64?
  /// The light says "accepted".
  public var lit: Int64?
  /// ± µs on every stamp of the device; nil where its clock is not fitted yet.
  public var uncertainty: Int64?
}
