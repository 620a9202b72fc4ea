/// Which number of keychains is tried next: doubled until one is not carried, then halfway between
/// the most that was carried and the least that was not, until they are within an eighth.
public struct LoadLadder: Sendable {
  private let most: Int
  private var fixed: [Int]
  private let isFixed: Bool
  public private(set) var carried: Int?
  public private(set) var refused: Int?

  /// - Parameters:
  ///   - first: to begin with, at least 1.
  ///   - most: more is never tried.
  public init(from first: Int, to most: Int) {
    precondition(first >= 1 && first <= most, "a ladder goes up")
    self.most = most
    fixed = [first]
    isFixed = false
  }

  /// These, in this order, whatever comes of them.
  public init(steps: [Int]) {
    most = steps.max() ?? 0
    fixed = steps.reversed()
    isFixed = true
  }

  /// Nil at the end.
  public mutating func next() -> Int? {
    if let step = fixed.popLast() { return step }
    guard !isFixed else { return nil }
    switch (carried, refused) {
    case (let carried?, nil): return carried < most ? min(most, carried * 2) : nil
    case (let carried?, let refused?):
      let gap = refused - carried
      return gap > max(1, carried / 8) ? carried + gap / 2 : nil
    case (nil, let refused?): return refused > 1 ? refused / 2 : nil
    case (nil, nil): return nil
    }
  }

  /// - Parameter isCarried: within the limit, and nothing lost.
  public mutating func note(_ keychains: Int, isCarried: Bool) {
    if isCarried {
      carried = max(carried ?? 0, keychains)
    } else {
      refused = min(refused ?? .max, keychains)
    }
  }
}
