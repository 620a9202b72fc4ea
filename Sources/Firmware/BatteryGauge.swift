import FobBase
import WireProtocol

/// Turns millivolts into per cent and levels (R30, R34, G6): low at 20 % and below, normal again
/// at 22; critical at 5 and below, low again at 7. Where there is no battery it stays as it begins.
public struct BatteryGauge: Sendable {
  private(set) var level = BatteryLevel.normal
  /// 255: there is no battery.
  private(set) var percent: UInt8 = 255
  private(set) var millivolts: UInt16 = 0

  /// Whether a voltage was ever read.
  var hasBattery: Bool { percent != 255 }

  /// Takes a reading and leaves the level as it is: at boot, so that the first event carries one.
  mutating func look(_ millivolts: UInt16?) {
    guard let millivolts else { return }
    self.millivolts = millivolts
    percent = Self.percent(millivolts)
  }

  /// Takes a reading.
  /// - Returns: the event to be made, if the level changed.
  mutating func read(_ millivolts: UInt16?) -> EventKind? {
    look(millivolts)
    guard hasBattery else { return nil }
    let before = level
    switch level {
    case .normal: if percent <= 20 { level = .low }
    case .low: if percent >= 22 { level = .normal }
    case .critical: if percent >= 7 { level = percent >= 22 ? .normal : .low }
    }
    if level != .critical && percent <= 5 { level = .critical }
    guard level != before else { return nil }
    switch level {
    case .critical: return .batteryCritical
    case .low: return before == .normal ? .batteryLow : .batteryRecovered
    case .normal: return .batteryRecovered
    }
  }

  /// Charge by the rest voltage of a lithium cell, 0 to 100, interpolated between six points: 3300
  /// mV is empty, 4200 is full.
  public static func percent(_ millivolts: UInt16) -> UInt8 {
    let mv = UInt32(millivolts)
    guard mv > voltages[0] else { return 0 }
    for i in 1..<voltages.count where mv <= voltages[i] {
      let gained = (mv - voltages[i - 1]) * (percents[i] - percents[i - 1])
      return UInt8(
        truncatingIfNeeded: percents[i - 1] + gained / (voltages[i] - voltages[i - 1]))
    }
    return 100
  }

  private static let voltages: InlineArray<6, UInt32> = [3_300, 3_600, 3_700, 3_800, 4_000, 4_200]
  private static let percents: InlineArray<6, UInt32> = [0, 10, 25, 50, 80, 100]

  /// The lowest voltage that is read as `percent`, 3300 to 4200 mV: a simulated board shows it.
  public static func millivolts(percent: UInt8) -> UInt16 {
    var mv: UInt16 = 3_300
    while mv < 4_200 && Self.percent(mv) < percent { mv += 1 }
    return mv
  }
}
