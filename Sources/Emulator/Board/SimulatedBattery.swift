import Firmware
import FobBase

/// A lithium cell: it holds a charge, loses it, and gives way under a load.
///
/// Its inner resistance is not felt above 20 per cent, for which the firmware's gauge is made; from
/// there it grows to six ohms when the cell is empty. Below 3.0 V the board's regulator lets go,
/// and the processor is reset; it starts again at 3.1 V.
struct SimulatedBattery: Sendable {
  static let resetMillivolts = 3_000
  static let startMillivolts = 3_100
  /// Per cent an hour: the whole charge in a second.
  static let fastestDrain: Int64 = 360_000
  private static let hour = 3_600_000_000.0
  private static let emptyOhms = 6.0
  private static let weakBelow = 20.0

  /// What draws current from the cell, in milliamperes.
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

  /// Per cent of the charge lost in an hour.
  private(set) var drainPerHour: Int64 = 0
  private var charge: Double
  private var settled: Instant
  /// What a voltage set by hand has beyond the curve's ends.
  private var beyond = 0
  private var dip: Dip?
  /// The voltage that was asked about last, and its percentage.
  private var watched = (millivolts: UInt16(0), percent: BatteryGauge.percent(0))

  init(percent: UInt8, at now: Instant) {
    charge = Double(min(percent, 100))
    settled = now
  }

  func percent(at now: Instant) -> UInt8 { BatteryGauge.percent(rest(at: now)) }

  /// As `percent(at:)`, for whoever asks at every turn: the curve is searched only for a voltage
  /// that is another than at the last.
  mutating func watchedPercent(at now: Instant) -> UInt8 {
    let rest = rest(at: now)
    if rest != watched.millivolts { watched = (rest, BatteryGauge.percent(rest)) }
    return watched.percent
  }

  /// The terminals' voltage without load, as the gauge's curve has it.
  func rest(at now: Instant) -> UInt16 {
    UInt16(clamping: Int(Self.millivolts(charge(at: now)).rounded()) + beyond)
  }

  /// What the board has under `load`.
  func terminals(under load: Load, at now: Instant) -> UInt16 {
    let weakness = max(0, Self.weakBelow - charge(at: now)) / Self.weakBelow
    let drop = Int((load.milliamperes * weakness * Self.emptyOhms).rounded())
    return UInt16(clamping: Int(rest(at: now)) - drop - sag(at: now))
  }

  /// A sag that is under way ends then.
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

  /// The gauge's curve between two whole per cents, straight.
  private static func millivolts(_ percent: Double) -> Double {
    let whole = UInt8(percent)
    let (low, high) = (exact(whole), exact(min(100, whole + 1)))
    return low + (high - low) * (percent - Double(whole))
  }

  private static func exact(_ percent: UInt8) -> Double {
    Double(BatteryGauge.millivolts(percent: percent))
  }
}
