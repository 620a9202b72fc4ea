public import AlertCore
public import WireProtocol

/// An event that the watchers of a bridge are told, in order.
public enum BridgeEvent: Sendable {
  /// Of the first account.
  case auditEvent(AuditEvent)
  /// Of another account: who watches over one owner does not take it for theirs.
  case otherAuditEvent(AuditEvent, of: AccountNumber)
  /// A remark about a line that is not logged, such as noise or a device that cannot be opened.
  case notice(Notice)
  case stages(PressStages)
  /// The light as the keychain reports it. It repeats the report each second, so a lost one is soon
  /// made good.
  case led(device: String, LinkEvent.Light)
  case located(device: String, PositionFix)

  static func notice(_ level: Notice.Level, _ text: String) -> BridgeEvent {
    .notice(Notice(level: level, text: text))
  }

  /// A remark for the person who runs the bridge.
  public struct Notice: Codable, Equatable, Sendable {
    /// An error needs a person; a warning may mend itself.
    public enum Level: String, Codable, Sendable { case info, warning, error }

    /// How grave it is.
    public let level: Level
    /// One sentence or clause for people, without a full stop at its end.
    public let text: String
  }
}

/// The stamps of one press, in µs on the host's boot clock (docs/explanation/time.md: t0 to t5).
/// The device's own stamps are converted by the clock fit, and are as uncertain as `uncertainty`
/// says.
public struct PressStages: Codable, Equatable, Sendable {
  /// The event's number, as in "boot.n".
  public let event: String
  /// The device's id, 16 hexadecimal digits.
  public let device: String
  /// t0, the first edge; nil until the device's trace came with a clock fit.
  public var edge: Int64?
  /// tc, the firmware's commit; nil as `edge` is.
  public var stored: Int64?
  /// t1, the frame was written; nil without the device's trace.
  public var written: Int64?
  /// t2, the bridge's read returned.
  public var read: Int64
  /// t3, the engine has decided; nil at a bridge whose core is on another host.
  public var decided: Int64?
  /// t4, the commit is durable; nil before.
  public var durable: Int64?
  /// t5, the device has the ack; nil before.
  public var acked: Int64?
  /// The light shows "accepted"; nil before.
  public var lit: Int64?
  /// ± µs on every stamp of the device; nil until its clock is fitted.
  public var uncertainty: Int64?
}
