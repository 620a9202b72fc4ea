public import FobBase

/// Something that happened to an emulated keychain. As JSON it is one flat object. Fields that do
/// not belong to the event's name are nil, and left out.
public struct EmulatorEvent: Codable, Hashable, Sendable {
  /// What happened; decides which fields an event has.
  public enum Name: String, CaseIterable, Codable, Sendable {
    /// With `cause` and `boot`.
    case booted
    case closed, opened
    /// With `event`, `number` and `kind`.
    case committed
    /// The event went out on the link for the first time. With `event` and `number`, as `acked`
    /// has.
    case written
    case acked
    /// With `shown`, `detail` and `sounder`.
    case shown
    /// With `led`; only for subscribers that asked for the light.
    case light
    case storeFailed = "store_failed"
    case damagedFrame = "damaged_frame"
    /// With `path`: a pty's device, else the line's spec.
    case plugged
    case unplugged
    case hostOpened = "host_opened"
    case hostClosed = "host_closed"
    /// The firmware has answered the host's HELLO.
    case linked
    case battery, reset
    /// The voltage fell below 3.0 V: the board stands still until it is back.
    case brownOut = "brown_out"
    /// With `milliseconds`.
    case powerCut = "power_cut"
    /// Entries of the firmware's trace ring were overwritten unread; with `lost`.
    case traceLost = "trace_lost"
    /// QEMU has died, with `reason`; the command `reset` starts it again.
    case died
  }

  /// When, in microseconds of the host's CLOCK_BOOTTIME.
  public var at: Int64
  /// Decides which of the fields below are there.
  public var name: Name
  /// The event's number as text: `boot.n`.
  public var event: String?
  /// The event's number as `EventNumber.rawValue`.
  public var number: UInt64?
  /// An `EventKind` by name.
  public var kind: String?
  /// A `ShownState` by name.
  public var shown: String?
  /// The detail of `shown`, as in LED_STATE: seconds left, or how many.
  public var detail: UInt8?
  /// Whether the sounder is on, beside `shown`.
  public var sounder: Bool?
  /// Whether the light went on.
  public var led: Bool?
  /// The battery's charge, 0 to 100, of `battery`.
  public var percent: UInt8?
  /// How long the power is cut.
  public var milliseconds: Int64?
  /// A `ResetCause` by name.
  public var cause: String?
  /// The boot counter, of `booted`.
  public var boot: UInt32?
  /// What a host opens, of `plugged`.
  public var path: String?
  /// How many trace entries were lost.
  public var lost: UInt32?
  /// Why QEMU died, for people.
  public var reason: String?

  /// An event without any of the optional fields.
  public init(_ name: Name, at: Instant) {
    self.name = name
    self.at = at.microseconds
  }

  /// `number` as a type; nil where the event has none.
  public var eventNumber: EventNumber? { number.map { EventNumber(rawValue: $0) } }
}
