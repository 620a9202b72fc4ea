package import Firmware
package import FobBase

/// The bounce of a tactile switch: it strikes a few times within about five milliseconds before it
/// rests. A tired spring also opens for moments while the finger stays. The same seed makes the
/// same strikes.
package struct ContactBounce: Sendable {
  /// The most edges of one closing or opening.
  static let maxEdges = 9
  private static let maxStrike: Int64 = 650

  private var generator: SplitMix64
  private let isClean: Bool

  /// - Parameter seed: nil makes a contact that never bounces.
  package init(seed: UInt64?) {
    generator = SplitMix64(state: seed ?? 0)
    isClean = seed == nil
  }

  /// The edges of one closing or opening, the first at `start`, the last before `end`. After the
  /// last one the contact is in the new position.
  package mutating func edges(
    closing: Bool, at start: Instant, before end: Instant
  ) -> [ButtonEdge] {
    var edges = [ButtonEdge(closed: closing, at: start)]
    guard !isClean else { return edges }
    var at = start
    for _ in 0..<Int.random(in: 0...Self.maxEdges / 2, using: &generator) {
      let away = at + .microseconds(.random(in: 40...Self.maxStrike, using: &generator))
      let back = away + .microseconds(.random(in: 40...Self.maxStrike, using: &generator))
      guard back < end else { break }
      edges.append(ButtonEdge(closed: !closing, at: away))
      edges.append(ButtonEdge(closed: closing, at: back))
      at = back
    }
    return edges
  }

  /// The next gap of a tired spring after `start`. It lasts 0.1 to 5 ms, and at most half of the
  /// contact before it, so that a hold is more contact than gap.
  mutating func opening(after start: Instant) -> (open: Instant, closed: Instant) {
    let contact = Int64.random(in: 2_000...30_000, using: &generator)
    let gap = Int64.random(in: 100...min(5_000, contact / 2), using: &generator)
    return (start + .microseconds(contact), start + .microseconds(contact + gap))
  }
}
