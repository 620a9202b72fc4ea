import FobBase
import Simulation

/// How fast worlds are played.
struct Pace {
  let elapsed: Interval
  let threads: Int

  func progress(of tally: Tally) -> String {
    "\(Figures.count(tally.schedules, "schedule")),"
      + " \(Figures.grouped(Int(tally.deviceSeconds))) device-s,"
      + " \(Figures.grouped(aSecond(Double(tally.schedules)))) schedules/s"
  }

  func summary(of tally: Tally) -> String {
    let perCore = aSecond(tally.deviceSeconds / Double(threads))
    return "\(Figures.count(tally.schedules, "schedule")),"
      + " \(Figures.grouped(Int(tally.deviceSeconds))) device-s in \(Self.seconds(elapsed))"
      + " (\(Figures.grouped(perCore)) device-s/s a core, \(Figures.count(threads, "core"))),"
      + " \(Figures.count(tally.found == nil ? 0 : 1, "violation"))"
      + (tally.excused == 0 ? "" : ", \(Figures.grouped(tally.excused)) excused")
  }

  /// `4.2 s`
  static func seconds(_ interval: Interval) -> String {
    let tenths = (interval.microseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private func aSecond(_ amount: Double) -> Int {
    Int(amount / max(1e-6, Double(elapsed.microseconds) / 1e6))
  }
}
