import FobBase
import Simulation

/// How fast worlds are played.
struct PlaySpeed {
  let elapsed: Interval
  let threads: Int

  /// Of all threads together.
  var playing: Interval { .microseconds(elapsed.microseconds * Int64(threads)) }

  func progress(of summary: SearchSummary) -> String {
    "\(NumberText.count(summary.schedules, "schedule")),"
      + " \(NumberText.grouped(Int(summary.deviceSeconds))) device-s,"
      + " \(NumberText.grouped(aSecond(Double(summary.schedules)))) schedules/s"
  }

  func summary(of summary: SearchSummary) -> String {
    Self.words(
      summary.schedules, summary.deviceSeconds, Self.seconds(elapsed),
      aSecond(summary.deviceSeconds / Double(threads)), ", \(NumberText.count(threads, "core"))",
      summary.found == nil ? 0 : 1, summary.excused)
  }

  private static func words(
    _ schedules: Int, _ deviceSeconds: Double, _ time: String, _ perCore: Int, _ cores: String,
    _ violations: Int, _ excused: Int
  ) -> String {
    "\(NumberText.count(schedules, "schedule")), \(NumberText.grouped(Int(deviceSeconds))) device-s"
      + " in \(time) (\(NumberText.grouped(perCore)) device-s/s a core\(cores)),"
      + " \(NumberText.count(violations, "violation"))"
      + (excused == 0 ? "" : ", \(NumberText.grouped(excused)) excused")
  }

  /// Of the reports of many machines.
  static func words(of report: SearchReport) -> String {
    let playing = Interval.microseconds(report.playingMicroseconds)
    let deviceSeconds = Double(report.deviceMicroseconds) / 1e6
    let perCore = PlaySpeed(elapsed: playing, threads: 1).aSecond(deviceSeconds)
    return words(
      report.schedules, deviceSeconds, "\(seconds(playing)) of one core", perCore, "",
      report.violations.count, report.excused)
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
