public import FobBase

/// Something that happened to an emulated keychain. As JSON it is one flat object; what a name does
/// not speak of is left out.
public struct EmulatorEvent: Codable, Hashable, Sendable {
  public enum Name: String, CaseIterable, Codable, Sendable {
    /// With `cause` and `boot`.
    case booted
    case closed, opened
    /// With `event`, `number` and `kind`.
    case committed
    /// The event went out on the link for the first time; with `event` and `number`, as `acked`.
    case written
    case acked
    /// With `shown`, `detail` and `sounder`.
    case shown
    /// With `led`; only for those who asked for it.
    case light
    case storeFailed = "store_failed"
    case damagedFrame = "damaged_frame"
    /// With `path`: of the pty's device, else the line's spec.
    case plugged
    case unplugged
    case hostOpened = "host_opened"
    case hostClosed = "host_closed"
    /// The firmware has answered the host's HELLO.
    case linked
    case battery, reset
    /// The voltage fell too low: the board stands still until it is back.
    case brownOut = "brown_out"
    /// With `milliseconds`.
    case powerCut = "power_cut"
    /// The firmware's trace ring was too short; with `lost` entries.
    case traceLost = "trace_lost"
    /// What ran the board is gone, with `reason`; `reset` starts it again.
    case died
  }

  /// Microseconds, CLOCK_BOOTTIME of the host.
  public var at: Int64
  public var name: Name
  /// `boot.n`.
  public var event: String?
  public var number: UInt64?
  /// An `EventKind` by name.
  public var kind: String?
  /// A `ShownState` by name.
  public var shown: String?
  public var detail: UInt8?
  public var sounder: Bool?
  public var led: Bool?
  public var percent: UInt8?
  public var milliseconds: Int64?
  /// A `ResetCause` by name.
  public var cause: String?
  public var boot: UInt32?
  public var path: String?
  public var lost: UInt32?
  public var reason: String?

  public init(_ name: Name, at: Instant) {
    self.name = name
    self.at = at.microseconds
  }

  public var eventNumber: EventNumber? { number.map { EventNumber(rawValue: $0) } }
}
