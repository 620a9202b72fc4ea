import Emulator
import Firmware
import FobBase

/// A finger on one button, and the contact under it. A finger that is told to press while it
/// presses does so as soon as it can.
struct Finger {
  /// Between two presses of a person in a hurry.
  private static let gap = Interval.milliseconds(80)

  private let bounces: Bool
  private var script: [ButtonEdge] = []
  private var next = 0
  private var free = Instant(microseconds: .min)
  private var stuckUntil: Instant?

  init(bounces: Bool) { self.bounces = bounces }

  var nextEdge: Instant {
    let edge = next < script.count ? script[next].at : .never
    return min(edge, stuckUntil ?? .never)
  }

  var isResting: Bool { next == script.count && stuckUntil == nil }

  mutating func press(hold: Interval, seed: UInt64, at now: Instant) {
    let start = max(now, free)
    let release = start + hold
    var bounce = ContactBounce(seed: bounces ? seed : nil)
    script += bounce.edges(closing: true, at: start, before: release)
    script += bounce.edges(closing: false, at: release, before: release + .milliseconds(10))
    free = max(release, script.last!.at) + Self.gap
  }

  /// Clicks of 0.1 s with gaps of 0.1 to 0.3 s.
  mutating func click(_ count: Int, seed: UInt64, at now: Instant) {
    var random = SplitMix64(state: seed)
    var at = max(now, free)
    for _ in 0..<count {
      press(hold: .milliseconds(100), seed: random.next(), at: at)
      at = free + .milliseconds(Int64.random(in: 20...220, using: &random))
    }
  }

  mutating func stick(for span: Interval, at now: Instant) {
    stuckUntil = max(stuckUntil ?? now, now + span)
  }

  /// The contact's next position by now: nil when nothing has moved.
  mutating func take(upTo now: Instant) -> Bool? {
    if let ends = stuckUntil, ends <= now {
      stuckUntil = nil
      return position
    }
    guard next < script.count, script[next].at <= now else { return nil }
    next += 1
    if next == script.count {
      let last = script[next - 1]
      script = [last]
      next = 1
    }
    return stuckUntil == nil ? position : true
  }

  /// Where the finger is.
  private var position: Bool { next > 0 && script[next - 1].closed }
}
