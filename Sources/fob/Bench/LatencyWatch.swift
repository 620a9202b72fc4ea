import Bench
import FobBase
import SerialIO

/// What the main thread does while a run goes on: it shows how far it is, and waits for its end.
struct LatencyWatch {
  private let run: LatencyRun
  private let isPaced: Bool
  private let began = BootClock.now()

  /// How long the last presses may take to be shown as accepted.
  private static let patience = Interval.seconds(2)
  /// In place, on a terminal; and elsewhere a line.
  private static let redraw = Interval.seconds(1)
  private static let line = Interval.seconds(10)

  init(_ run: LatencyRun, isPaced: Bool) {
    self.run = run
    self.isPaced = isPaced
  }

  /// Returns when the run's presses have come to their end, or soon after Ctrl-C.
  func follow(until termination: borrowing Termination) {
    var table = LiveTable()
    var drawn = 0
    let every = Terminal.isTerminal ? Self.redraw : Self.line
    var next = began + every
    while BootClock.now() < run.end, run.failure == nil {
      if termination.wait(until: min(next, run.end)) { break }
      guard BootClock.now() >= next else { continue }
      next = next + every
      table.add(run.book.takeFresh())
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
    guard Terminal.isTerminal else {
      Terminal.line(head)
      return 0
    }
    let lines = [head] + table.lines
    Terminal.write(Self.erase(drawn) + lines.map { $0 + "\n" }.joined())
    return lines.count
  }

  private static func seconds(_ interval: Interval) -> Int64 {
    (interval.microseconds + 500_000) / 1_000_000
  }

  /// What takes the last lines of a terminal away.
  static func erase(_ lines: Int) -> String { lines == 0 ? "" : "\u{1B}[\(lines)A\u{1B}[J" }

  private static func rest(_ interval: Interval) {
    guard let signal = try? EventSignal() else { return }
    _ = try? Syscall.poll(signal.descriptor, for: 1, until: BootClock.now() + interval)
  }
}
