import FobBase
import WireProtocol

/// Turns millivolts into per cent and levels (R30, R34, G6): low at 20 % and below, normal again
/// at 22; critical at 5 and below, low again at 7.
public struct BatteryGauge: Sendable {
  private(set) var level = BatteryLevel.normal
  private(set) var percent: UInt8 = 255
  private(set) var millivolts: UInt16 = 0

  /// Takes a reading without judging it: at boot, so that the first event carries one.
  mutating func look(_ millivolts: UInt16) {
    self.millivolts = millivolts
    percent = Self.percent(millivolts)
  }

  /// Takes a reading; the event that it makes, if it changed the level.
  mutating func read(_ millivolts: UInt16) -> EventKind? {
    look(millivolts)
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

  /// A lithium cell's rest voltage, in straight pieces: 3300 mV is empty, 4200 full.
  public static func percent(_ millivolts: UInt16) -> UInt8 {
    let points: InlineArray<6, (mv: UInt32, percent: UInt32)> = [
      (3_300, 0), (3_600, 10), (3_700, 25), (3_800, 50), (4_000, 80), (4_200, 100),
    ]
    let mv = UInt32(millivolts)
    guard mv > points[0].mv else { return 0 }
    for i in 1..<points.count where mv <= points[i].mv {
      let low = points[i - 1]
      let gained = (mv - low.mv) * (points[i].percent - low.percent)
      return UInt8(low.percent + gained / (points[i].mv - low.mv))
    }
    return 100
  }

  /// The voltage at which `percent` is read: what a board must show to be there.
  public static func millivolts(percent: UInt8) -> UInt16 {
    var mv: UInt16 = 3_300
    while mv < 4_200 && Self.percent(mv) < percent { mv += 1 }
    return mv
  }
}
