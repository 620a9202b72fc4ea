/// Finds the few things that matter among many by delta debugging (ddmin; Zeller and Hildebrandt,
/// Simplifying and Isolating Failure-Inducing Input, 2002). Then it leaves out each remaining one
/// by itself until none can go. The same question always gives the same result.
public struct Shrinker {
  /// How many questions are asked at most; then the shortest list so far is the result.
  public let maxPlays: Int
  /// Questions asked so far.
  public private(set) var plays = 0
  /// Lists that do not fail: they are not asked about again.
  private var innocent: Set<[Int]> = []

  /// One shrinker serves one list: it remembers what did not fail.
  public init(maxPlays: Int = 2_000) { self.maxPlays = maxPlays }

  /// Shrinks a list that fails.
  /// - Parameters:
  ///   - numbers: a list for which `fails` holds.
  ///   - fails: whether it still fails with these numbers alone.
  /// - Returns: some of the numbers, in their order. None of them can be left out by itself, unless
  ///   the questions ran out before that was known.
  public mutating func shrink(_ numbers: [Int], while fails: ([Int]) -> Bool) -> [Int] {
    guard !numbers.isEmpty else { return numbers }
    if ask([], fails) { return [] }
    return withoutSingles(halved(numbers, fails), fails)
  }

  /// ddmin: tries each part alone, then all but one part, then smaller parts.
  private mutating func halved(_ numbers: [Int], _ fails: ([Int]) -> Bool) -> [Int] {
    var kept = numbers
    var parts = 2
    while kept.count >= 2, plays < maxPlays {
      let cuts = (0...parts).map { $0 * kept.count / parts }
      let ranges = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
      if let range = ranges.first(where: { ask(Array(kept[$0]), fails) }) {
        kept = Array(kept[range])
        parts = 2
      } else if parts > 2, let range = ranges.first(where: { ask(kept.without($0), fails) }) {
        kept = kept.without(range)
        parts = max(parts - 1, 2)
      } else if parts < kept.count {
        parts = min(kept.count, parts * 2)
      } else {
        break
      }
      parts = min(parts, max(kept.count, 2))
    }
    return kept
  }

  /// Goes from the last to the first, since late acts are least often a cause.
  private mutating func withoutSingles(_ numbers: [Int], _ fails: ([Int]) -> Bool) -> [Int] {
    var kept = numbers
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      for index in kept.indices.reversed() where ask(kept.without(index..<index + 1), fails) {
        kept.remove(at: index)
        hasShrunk = true
      }
    }
    return kept
  }

  private mutating func ask(_ numbers: [Int], _ fails: ([Int]) -> Bool) -> Bool {
    guard plays < maxPlays, !innocent.contains(numbers) else { return false }
    plays += 1
    if fails(numbers) { return true }
    innocent.insert(numbers)
    return false
  }
}

extension [Int] {
  fileprivate func without(_ range: Range<Int>) -> [Int] {
    Array(self[..<range.lowerBound] + self[range.upperBound...])
  }
}
