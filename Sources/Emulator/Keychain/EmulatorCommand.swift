public import FobBase

/// What can be done to an emulated keychain.
public enum EmulatorCommand: Hashable, Sendable {
  /// Answered when the firmware has committed the press, with its event number.
  case press(hold: Interval = defaultHold)
  /// As `press`, and the finger stays.
  case hold
  case release
  case battery(percent: UInt8)
  case batteryMillivolts(UInt16)
  /// The device and its name vanish from the host; the board lives on.
  case unplug
  case replug
  /// The reset pin: the firmware boots anew, what is only in memory is lost.
  case reset
  /// Nothing runs for so long; then the board boots with the cause `powerOn`.
  case powerCut(Interval)
  /// From now on the store refuses to be read and written, or no longer.
  case failStore(Bool)
  /// Sets a fault of the line, in place of the one of its kind and direction.
  case fault(WireFault)
  /// No fault is in force from now on. What the line holds still comes when it is due.
  case clearFaults
  case state
  /// The light's edges that are still known: the last 1,024.
  case lightTrace
  /// Answered when `Goal` is reached.
  case wait(Goal, within: Interval = .seconds(10))

  public enum Goal: Hashable, Sendable {
    /// Powered, and plugged in under its name.
    case ready
    /// The firmware has answered the HELLO of the host that has the device open.
    case linked
    /// The host has acked this event.
    case acked(EventNumber)
  }

  public static let defaultHold = Interval.milliseconds(120)
  public static let shortestHold = Interval.milliseconds(1)
  public static let longestHold = Interval.seconds(600)
  /// After its first edge, a press that is not committed by then is answered with a refusal.
  public static let pressPatience = Interval.seconds(2)
}
