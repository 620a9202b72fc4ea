import FobBase
import Simulation

/// How fast worlds are played.
struct PlaySpeed {
  let elapsed: Interval
  let threads: Int

  func progress(of summary: SearchSummary) -> String {
    "\(NumberText.count(summary.schedules, "schedule")),"
      + " \(NumberText.grouped(Int(summary.deviceSeconds))) device-s,"
      + " \(NumberText.grouped(aSecond(Double(summary.schedules)))) schedules/s"
  }

  func summary(of summary: SearchSummary) -> String {
    let perCore = aSecond(summary.deviceSeconds / Double(threads))
    return "\(NumberText.count(summary.schedules, "schedule")),"
      + " \(NumberText.grouped(Int(summary.deviceSeconds))) device-s in \(Self.seconds(elapsed))"
      + " (\(NumberText.grouped(perCore)) device-s/s a core, \(NumberText.count(threads, "core"))),"
      + " \(NumberText.count(summary.found == nil ? 0 : 1, "violation"))"
      + (summary.excused == 0 ? "" : ", \(NumberText.grouped(summary.excused)) excused")
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
