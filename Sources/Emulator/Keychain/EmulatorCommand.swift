public import FobBase

/// What can be done to an emulated keychain.
public enum EmulatorCommand: Hashable, Sendable {
  /// Answered when the firmware has committed the press, with its event number.
  case press(hold: Interval = defaultHold)
  /// As `press`, and the contact closes at that moment; at once if it has passed.
  case pressAt(Instant, hold: Interval = defaultHold)
  /// As `press`, and the finger stays.
  case hold
  case release
  /// Either a charge or a voltage without load; or how many per cent an hour it loses from now on,
  /// 0 to 360000; or both.
  case battery(percent: UInt8? = nil, millivolts: UInt16? = nil, drainPerHour: Int64? = nil)
  /// The voltage falls by so much for a while. Under 3.0 V the board is reset, with the cause
  /// `brownOut`, and boots when it is back.
  case sag(millivolts: UInt16, for: Interval)
  /// The board's clock gains so many parts per million on the host's, 10000 either way.
  case clockDrift(ppm: Int32)
  /// The board's clock jumps by up to an hour either way, but never below zero.
  case clockJump(Interval)
  /// The GPS receiver hears something else from now on.
  case gps(GPSSource, storyAt: Interval = .zero)
  /// Sets the clock of the story that is told.
  case gpsClock(Interval)
  /// Each contact opens for 0.1 to 5 ms again and again while it is held, or no longer.
  case chatter(Bool, seed: UInt64?)
  /// The contact closes and stays so; `unstick` frees it.
  case stick
  case unstick
  /// The device and its name vanish from the host; the board lives on.
  case unplug
  case replug
  /// The reset pin: the firmware boots anew, what is only in memory is lost.
  case reset
  /// Nothing runs for so long; then the board boots with the cause `powerOn`.
  case powerCut(Interval)
  /// From now on the store refuses to be read and written, or no longer.
  case failStore(Bool)
  /// From now on presses that nobody asks for, in place of any before; nil ends them.
  case pressAtRandom(RandomPresses?)
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
  public static let minHold = Interval.milliseconds(1)
  public static let maxHold = Interval.seconds(600)
  /// After its first edge, a press that is not committed by then is answered with a refusal.
  public static let pressPatience = Interval.seconds(2)
}

/// Why a command was not carried out, and a hint, in one line.
public struct CommandRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// What came of a command.
public enum EmulatorAnswer: Hashable, Sendable {
  case done
  case event(EventNumber)
  case state(EmulatorState)
  case lightTrace([LightEdge])
}
