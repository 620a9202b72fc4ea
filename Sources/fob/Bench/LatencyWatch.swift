import Bench
import FobBase
import Glibc
import SerialIO

/// What the main thread does while a run goes on: it shows how far it is, and waits for its end.
///
/// The threads that measure only note their stamps; what they have noted is taken between two looks
/// at the clock, and never waits for a terminal's reader.
struct LatencyWatch {
  private let run: LatencyRun
  private let isPaced: Bool
  private let isLive: Bool
  private let began = BootClock.now()

  /// How long the last presses may take to be shown as accepted.
  private static let patience = Interval.seconds(2)
  /// In place, on a terminal; and elsewhere a line.
  private static let redraw = Interval.seconds(1)
  private static let line = Interval.seconds(10)
  private static let tick = Interval.milliseconds(250)

  /// - Parameter isLive: the distribution so far is shown.
  init(_ run: LatencyRun, isPaced: Bool, isLive: Bool) {
    self.run = run
    self.isPaced = isPaced
    self.isLive = isLive
  }

  /// Returns when the run's presses have come to their end, or soon after Ctrl-C.
  func follow(until termination: borrowing Termination) {
    var table = LiveTable()
    var drawn = 0
    let every = isLive && Terminal.rewrites ? Self.redraw : Self.line
    var next = began + every
    var progress = isLive && Terminal.rewrites ? nil : ProgressLine("presses", ends: run.end)
    while BootClock.now() < run.end, run.failure == nil {
      if termination.wait(until: min(next, run.end, BootClock.now() + Self.tick)) { break }
      progress?.show(run.book.count)
      guard BootClock.now() >= next else { continue }
      next = next + every
      if isLive { table.add(run.book.takeFresh()) }
      drawn = draw(table, over: drawn)
    }
    run.stopPressing()
    if isPaced {
      let latest = BootClock.now() + Self.patience
      while !run.isSettled, BootClock.now() < latest {
        Self.rest(.milliseconds(20))
      }
    } else {
      Self.rest(.milliseconds(500))
    }
    if drawn > 0 { Terminal.write(Self.erase(drawn)) }
  }

  /// - Returns: the lines that stand there now.
  private func draw(_ table: LiveTable, over drawn: Int) -> Int {
    let passed = Self.seconds(BootClock.now() - began)
    let head = "\(passed) of \(Self.seconds(run.end - began)) s: \(run.book.count) presses"
    guard Terminal.rewrites else {
      for line in [head] + (isLive ? table.lines : []) { Terminal.line(line) }
      return 0
    }
    guard isLive else { return 0 }
    let size = Terminal.size(of: STDOUT_FILENO)
    let lines = ([head] + table.lines).prefix(size.rows - 1).map {
      TextColumns.fitted($0, to: size.columns - 1) + "\n"
    }
    Terminal.write(Self.erase(drawn) + lines.joined())
    return lines.count
  }

  private static func seconds(_ interval: Interval) -> Int64 {
    (interval.microseconds + 500_000) / 1_000_000
  }

  /// What takes the last lines of a terminal away.
  private static func erase(_ lines: Int) -> String { lines == 0 ? "" : "\u{1B}[\(lines)A\u{1B}[J" }

  private static func rest(_ interval: Interval) {
    guard let signal = try? EventSignal() else { return }
    _ = try? Syscall.poll(signal.descriptor, for: 1, until: BootClock.now() + interval)
  }
}
