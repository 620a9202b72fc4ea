import FobBase
import Foundation

/// A contact over time: closed and open in turn, beginning with closed.
struct ContactWaveform: Equatable, Sendable {
  /// How long each lasts, above zero. Those with an even index are closed.
  private(set) var spans: [Interval] = []

  /// An open contact that nothing has touched yet, or one that ended closed.
  private var isClosed: Bool { !spans.count.isMultiple(of: 2) }

  /// The contact is in this position for that much longer. Being open before the first contact is
  /// left out.
  mutating func append(closed: Bool, for time: Interval) {
    guard time > .zero else { return }
    if closed != isClosed {
      spans.append(time)
    } else if !spans.isEmpty {
      spans[spans.count - 1] = spans[spans.count - 1] + time
    }
  }

  /// How long the contact is closed, all in all.
  var closedTime: Interval {
    spans.enumerated().reduce(.zero) { $1.offset.isMultiple(of: 2) ? $0 + $1.element : $0 }
  }
}

/// Draws contacts. The same state of the random numbers draws the same contacts.
struct WaveformGenerator: Sendable {
  private var random: SplitMix64
  private(set) var waveform = ContactWaveform()

  /// The shortest strike and, in a short bounce, the longest: as the emulator's button has them.
  private static let strike: ClosedRange<Int64> = 40...650
  /// A bounce has some ten strikes, however long it is.
  private static let strikes: Int64 = 10

  init(random: SplitMix64) { self.random = random }

  /// What was drawn so far; the next contact begins anew.
  mutating func take() -> ContactWaveform {
    defer { waveform = ContactWaveform() }
    return waveform
  }

  mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// - Parameter range: in µs.
  mutating func time(_ range: ClosedRange<Int64>) -> Interval {
    .microseconds(Int64.random(in: range, using: &random))
  }

  mutating func one(of switches: [MeasuredSwitch]) -> MeasuredSwitch {
    switches[count(0...switches.count - 1)]
  }

  /// The contact is closed, or open, for that long, with the bounce of a change at its beginning
  /// where there is one. The bounce is part of the time.
  mutating func hold(
    closed: Bool, for time: Interval, bounce: MeasuredSwitch.Bounce? = nil
  ) {
    guard let bounce else { return waveform.append(closed: closed, for: time) }
    let length = min(time, length(of: bounce))
    settle(closed: closed, within: length)
    waveform.append(closed: closed, for: time - length)
  }

  /// A press of the finger: closed for `time`, then open, each with the bounce of the switch.
  mutating func press(_ contact: MeasuredSwitch, for time: Interval) {
    hold(closed: true, for: time, bounce: contact.closing)
    release(contact)
  }

  /// The contact opens, and stays open when it has bounced.
  mutating func release(_ contact: MeasuredSwitch) {
    settle(closed: false, within: length(of: contact.opening))
  }

  /// Strikes that become longer in the new position, and shorter in the old one.
  mutating func settle(closed: Bool, within length: Interval) {
    let longest = max(Self.strike.upperBound, length.microseconds / Self.strikes)
    var at: Int64 = 0
    while at < length.microseconds {
      let settled = at * longest / length.microseconds
      let new = span(upTo: max(Self.strike.lowerBound, settled), within: length.microseconds - at)
      waveform.append(closed: closed, for: new)
      at += new.microseconds
      let old = span(
        upTo: max(Self.strike.lowerBound, longest - settled), within: length.microseconds - at)
      waveform.append(closed: !closed, for: old)
      at += old.microseconds
    }
  }

  private mutating func span(upTo longest: Int64, within rest: Int64) -> Interval {
    min(.microseconds(rest), time(Self.strike.lowerBound...longest))
  }

  private mutating func length(of bounce: MeasuredSwitch.Bounce) -> Interval {
    let drawn = -log(1 - Double.random(in: 0..<1, using: &random))
    return min(bounce.longest, .microseconds(Int64(drawn * Double(bounce.mean.microseconds))))
  }
}
