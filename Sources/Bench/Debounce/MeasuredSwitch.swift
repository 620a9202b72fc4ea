import FobBase

/// A switch whose bounce was measured by others, who published it.
struct MeasuredSwitch: Sendable {
  /// How long a contact bounces: drawn from an exponential distribution, and never longer than what
  /// was seen.
  struct Bounce: Sendable {
    let mean: Interval
    let longest: Interval

    init(mean: Interval, longest: Interval) {
      self.mean = mean
      self.longest = longest
    }

    /// Where the longest alone is published. The mean is a quarter of it, as it was with the 16
    /// switches of Ganssle.
    init(longest: Interval) {
      self.init(mean: .microseconds(longest.microseconds / 4), longest: longest)
    }
  }

  let closing: Bounce
  let opening: Bounce

  /// Jack Ganssle, A Guide to Debouncing (2004), https://www.ganssle.com/debouncing.htm: "16
  /// switches exhibited an average 1557 usec of bouncing, with […] a max of 6200 usec".
  static let ganssle = MeasuredSwitch(
    closing: Bounce(mean: .microseconds(1_557), longest: .microseconds(6_200)),
    opening: Bounce(mean: .microseconds(1_557), longest: .microseconds(6_200)))

  /// The same guide, switch E: 157 ms when it opened, never more than 20 µs when it closed.
  static let ganssleE = MeasuredSwitch(
    closing: Bounce(longest: .microseconds(20)), opening: Bounce(longest: .milliseconds(157)))

  /// Omron, data sheets of the tactile switches B3F, B3FS and B3S: "Bounce time 5 ms max."
  static let omron = MeasuredSwitch(
    closing: Bounce(longest: .milliseconds(5)), opening: Bounce(longest: .milliseconds(5)))

  /// Five nameless tactile switches of 6 × 6 mm: 14 ms at worst.
  /// https://github.com/adamfk/bouncy-button-data/issues/23
  static let tactile = MeasuredSwitch(
    closing: Bounce(longest: .milliseconds(14)), opening: Bounce(longest: .milliseconds(14)))

  /// JUDCO 1024-2, unused for years: 157 ms. https://github.com/adamfk/bouncy-button-data/issues/6
  static let judco = MeasuredSwitch(
    closing: Bounce(longest: .milliseconds(157)), opening: Bounce(longest: .milliseconds(157)))

  /// Those that a keychain may be sold with.
  static let sound = [ganssle, omron, tactile]
  /// Those that it should not be sold with, but may have after years.
  static let worn = [ganssleE, judco]
}
