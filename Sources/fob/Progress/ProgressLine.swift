import FobBase
import SerialIO

/// How far a long work is, rewritten in place on standard error, where that is a terminal; else
/// nothing is written. Whoever prints a line takes it away first.
struct ProgressLine: ~Copyable {
  private var text: ProgressText
  private let isShown = Terminal.hasProgress

  /// - Parameters:
  ///   - noun: what is counted, as in "schedules".
  ///   - total: how many there are; nil: as many as can be done.
  ///   - ends: when it ends, whatever is done by then; nil: when all is done.
  init(_ noun: String, of total: Int? = nil, ends: Instant? = nil) {
    text = ProgressText(noun, of: total, ends: ends, at: BootClock.now())
  }

  /// Cheap where no row is due.
  mutating func show(_ done: @autoclosure () -> Int) {
    guard isShown else { return }
    let now = BootClock.now()
    guard text.isDue(at: now) else { return }
    Terminal.progress(text.row(done: done(), at: now))
  }

  deinit { if isShown { Terminal.progress(nil) } }
}
