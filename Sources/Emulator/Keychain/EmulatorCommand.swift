public import FobBase

/// A command to an emulated keychain: to its finger, its parts, its line or its store.
public enum EmulatorCommand: Hashable, Sendable {
  /// Presses the button, for 1 ms to 600 s. Answered with the event number when the firmware has
  /// committed the press.
  case press(hold: Interval = defaultHold)
  /// As `press`, but the contact closes at that instant; at once if it has passed.
  case pressAt(Instant, hold: Interval = defaultHold)
  /// As `press`, but the finger stays until `release`.
  case hold
  case release
  /// Sets what is given: the charge (0 to 100 per cent) or else the voltage without load, and the
  /// drain from now on (0 to 360000 per cent an hour).
  case battery(
    percent: UInt8? = nil, millivolts: UInt16? = nil, drainPerHour: Int64? = nil,
    ohms: Int64? = nil)
  /// The voltage falls by so much for a while. Below 3.0 V the board is reset, and boots with the
  /// cause `brownOut` when the voltage is back.
  case sag(millivolts: UInt16, for: Interval)
  /// The board's clock gains so many parts per million on the host's, at most 10000 either way.
  /// Refused for a board in QEMU.
  case clockDrift(ppm: Int32)
  /// The board's clock jumps by up to an hour either way, but never below zero. Refused for a board
  /// in QEMU.
  case clockJump(Interval)
  /// The GPS receiver gets another source; a story begins at `storyAt`.
  case gps(GPSSource, storyAt: Interval = .zero)
  /// Sets the clock of the present story; refused without one.
  case gpsClock(Interval)
  /// Begins or ends chatter: each contact opens for 0.1 to 5 ms again and again. A seed restarts
  /// the draws.
  case chatter(Bool, seed: UInt64?)
  /// The contact closes and stays closed until `unstick`.
  case stick
  case unstick
  /// The device and its name vanish from the host; the board runs on.
  case unplug
  case replug
  /// The reset pin: the firmware boots again and loses what is only in memory.
  case reset
  /// The board has no power for so long; then it boots with the cause `powerOn`.
  case powerCut(Interval)
  /// Makes reading and writing of the store fail from now on, or ends that. A board in QEMU refuses
  /// `true`.
  case failStore(Bool)
  /// Begins presses at random times, in place of those before; nil ends them.
  case pressAtRandom(RandomPresses?)
  /// Sets a fault of the line, in place of one of the same kind in the same direction.
  case fault(WireFault)
  /// Removes all faults. Bytes that the line holds still come when they are due.
  case clearFaults
  case state
  /// Asks for the last 1,024 edges of the light.
  case lightTrace
  /// Answered when the goal is reached; refused after `within`.
  case wait(Goal, within: Interval = .seconds(10))

  /// A state that a `wait` waits for.
  public enum Goal: Hashable, Sendable {
    /// The board has power and is plugged in.
    case ready
    /// The firmware has answered the HELLO of the host that has the device open.
    case linked
    /// The host has acked this event.
    case acked(EventNumber)
  }

  /// The hold of a press that names none.
  public static let defaultHold = Interval.milliseconds(120)
  /// The shortest hold of a press.
  public static let minHold = Interval.milliseconds(1)
  /// The longest hold of a press.
  public static let maxHold = Interval.seconds(600)
  /// How long after its first edge a press may take to be committed; then it is refused.
  public static let pressPatience = Interval.seconds(2)
}

/// Why a command was not carried out, and a hint, in one line.
public struct CommandRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line for people: what is wrong, and a hint.
  public let description: String

  /// - Parameter description: one line for people.
  public init(_ description: String) { self.description = description }
}

/// The answer to a command that was carried out.
public enum EmulatorAnswer: Hashable, Sendable {
  case done
  case event(EventNumber)
  case state(EmulatorState)
  case lightTrace([LightEdge])
}
