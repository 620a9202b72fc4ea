/// Batches that are one side of a move, until the other account's side has come. A batch has one
/// move at most, and an account's moves are in its batches in the order in which they were decided:
/// of all that wait, the two sides of the oldest move wait for nothing else. Pure.
public struct MoveSides<Side> {
  private var sides: [MoveID: Side] = [:]

  /// None has come.
  public init() {}

  /// - Returns: both sides, which are durable together, the later one last; none while one is
  ///   missing.
  public mutating func add(_ side: Side, of move: MoveID) -> [Side] {
    guard let other = sides.removeValue(forKey: move) else {
      sides[move] = side
      return []
    }
    return [other, side]
  }
}
