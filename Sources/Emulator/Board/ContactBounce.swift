import Firmware
import FobBase

/// How a tactile switch closes and opens: it strikes a few times within about five milliseconds
/// before it rests. The same seed makes the same strikes.
struct ContactBounce: Sendable {
  /// The most edges of one closing or opening.
  static let mostEdges = 9
  private static let longestStrike: Int64 = 650

  private var generator: SplitMix64
  private let isClean: Bool

  /// - Parameter seed: nil makes a contact that never bounces.
  init(seed: UInt64?) {
    generator = SplitMix64(state: seed ?? 0)
    isClean = seed == nil
  }

  /// The edges of one change, the first at `start`, the last before `end`; the contact rests in
  /// the new position behind them.
  mutating func edges(
    closing: Bool, at start: Instant, before end: Instant
  ) -> [ButtonEdge] {
    var edges = [ButtonEdge(closed: closing, at: start)]
    guard !isClean else { return edges }
    var at = start
    for _ in 0..<Int.random(in: 0...Self.mostEdges / 2, using: &generator) {
      let away = at + .microseconds(.random(in: 40...Self.longestStrike, using: &generator))
      let back = away + .microseconds(.random(in: 40...Self.longestStrike, using: &generator))
      guard back < end else { break }
      edges.append(ButtonEdge(closed: !closing, at: away))
      edges.append(ButtonEdge(closed: closing, at: back))
      at = back
    }
    return edges
  }
}
