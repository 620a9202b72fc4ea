import Firmware
import FobBase

/// A lithium cell: it holds a charge, loses it, and its voltage drops under a load.
///
/// Its inner resistance is zero, as the firmware's gauge assumes, so that the gauge reads the
/// charge. A worn cell, which is asked for, has one below 20 per cent, and more the emptier it is.
/// Below 3.0 V the board's regulator resets the processor, which starts again at 3.1 V.
struct SimulatedBattery: Sendable {
  static let resetMillivolts = 3_000
  static let startMillivolts = 3_100
  /// The largest drain, per cent an hour: the whole charge in a second.
  static let fastestDrain: Int64 = 360_000
  private static let hour = 3_600_000_000.0
  /// The most that an empty cell may have: a load then takes its whole voltage away.
  static let mostOhms: Int64 = 100
  private static let weakBelow = 20.0

  /// The parts that draw current from the cell.
  struct Load {
    var gps = false
    var led = false
    var sounder = false

    var milliamperes: Double {
      5 + (gps ? 25 : 0) + (led ? 5 : 0) + (sounder ? 40 : 0)
    }
  }

  private struct Dip {
    var millivolts: Int
    var end: Instant
  }

  /// Inner resistance of the empty cell, in ohms, 0 to ``mostOhms``.
  var emptyOhms: Int64 = 0
  /// Per cent of the charge lost in an hour.
  private(set) var drainPerHour: Int64 = 0
  private var charge: Double
  private var settled: Instant
  /// Millivolts by which a voltage set by hand is beyond the curve's ends.
  private var beyond = 0
  private var dip: Dip?
  /// The last voltage of `watchedPercent`, and its percentage.
  private var watched = (millivolts: UInt16(0), percent: BatteryGauge.percent(0))

  init(percent: UInt8, at now: Instant) {
    charge = Double(min(percent, 100))
    settled = now
  }

  func percent(at now: Instant) -> UInt8 { BatteryGauge.percent(rest(at: now)) }

  /// As `percent(at:)`, for calls at every turn: it searches the curve only if the voltage has
  /// changed since the last call.
  mutating func watchedPercent(at now: Instant) -> UInt8 {
    let rest = rest(at: now)
    if rest != watched.millivolts { watched = (rest, BatteryGauge.percent(rest)) }
    return watched.percent
  }

  /// The voltage at the terminals without load, in millivolts, by the gauge's curve.
  func rest(at now: Instant) -> UInt16 {
    UInt16(clamping: Int(Self.millivolts(charge(at: now)).rounded()) + beyond)
  }

  /// The voltage at the terminals under `load`, in millivolts.
  func terminals(under load: Load, at now: Instant) -> UInt16 {
    let weakness = max(0, Self.weakBelow - charge(at: now)) / Self.weakBelow
    let drop = Int((load.milliamperes * weakness * Double(emptyOhms)).rounded())
    return UInt16(clamping: Int(rest(at: now)) - drop - sag(at: now))
  }

  /// When the sag that is under way ends; nil: there is none.
  func sagEnds(after now: Instant) -> Instant? {
    dip.flatMap { now < $0.end ? $0.end : nil }
  }

  mutating func set(percent: UInt8, at now: Instant) {
    charge = Double(percent)
    settled = now
    beyond = 0
  }

  mutating func set(millivolts: UInt16, at now: Instant) {
    let percent = BatteryGauge.percent(millivolts)
    let (low, high) = (Self.exact(percent), Self.exact(min(100, percent + 1)))
    let step = high > low ? (Double(millivolts) - low) / (high - low) : 0
    charge = Double(percent) + min(1, max(0, step))
    settled = now
    beyond = Int(millivolts) - Int(Self.millivolts(charge).rounded())
  }

  mutating func drain(percentPerHour: Int64, at now: Instant) {
    charge = charge(at: now)
    settled = now
    drainPerHour = percentPerHour
  }

  mutating func sag(by millivolts: UInt16, for interval: Interval, at now: Instant) {
    dip = Dip(millivolts: Int(millivolts), end: now + interval)
  }

  private func sag(at now: Instant) -> Int {
    dip.map { now < $0.end ? $0.millivolts : 0 } ?? 0
  }

  private func charge(at now: Instant) -> Double {
    let hours = Double((now - settled).microseconds) / Self.hour
    return max(0, charge - Double(drainPerHour) * hours)
  }

  /// The gauge's curve, straight between two whole per cents.
  private static func millivolts(_ percent: Double) -> Double {
    let whole = UInt8(percent)
    let (low, high) = (exact(whole), exact(min(100, whole + 1)))
    return low + (high - low) * (percent - Double(whole))
  }

  private static func exact(_ percent: UInt8) -> Double { curve[Int(percent)] }

  /// The gauge searches for each: a keychain asks for one at every turn.
  private static let curve = (0...100 as ClosedRange<UInt8>).map {
    Double(BatteryGauge.millivolts(percent: $0))
  }
}
