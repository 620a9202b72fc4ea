/// Rank tests with their exact distributions; ties share their rank.
enum RankTest {
  // MARK: Two samples

  /// The rank-sum test (Wilcoxon 1945; Mann and Whitney 1947): of all ways to deal the ranks to the
  /// two samples, the share that is at least as extreme.
  ///
  /// One-sided: the probability that `high` has ranks this high if both samples come from one
  /// distribution.
  static func probability(_ high: [Double], above low: [Double]) -> Double {
    guard !high.isEmpty, !low.isEmpty else { return 1 }
    let ranks = doubledRanks(high + low)
    let observed = ranks.prefix(high.count).reduce(0, +)
    // ways[n][s]: how many choices of n ranks have the sum s. Doubles count exactly up to 2^53, and
    // beyond that more exactly than a probability needs.
    let largest = ranks.reduce(0, +)
    var ways = Array(repeating: [Double](repeating: 0, count: largest + 1), count: high.count + 1)
    ways[0][0] = 1
    var reached = 0
    for rank in ranks {
      reached += rank
      for chosen in stride(from: high.count, through: 1, by: -1) {
        for sum in stride(from: reached, through: rank, by: -1) {
          ways[chosen][sum] += ways[chosen - 1][sum - rank]
        }
      }
    }
    let all = ways[high.count].reduce(0, +)
    return ways[high.count][observed...].reduce(0, +) / all
  }

  /// The shift between two samples (Hodges and Lehmann 1963): the median of all differences.
  static func shift(from old: [Double], to new: [Double]) -> Double {
    median(new.flatMap { value in old.map { value - $0 } })
  }

  // MARK: Pairs

  /// The signed-rank test (Wilcoxon 1945): of all ways to give signs to the ranks of the
  /// differences, the share that is at least as extreme. Differences of zero are left out.
  ///
  /// One-sided: the probability of ranks this high above zero if each difference could as well be
  /// below.
  static func probability(ofRises differences: [Double]) -> Double {
    let moved = differences.filter { $0 != 0 }
    let ranks = doubledRanks(moved.map(abs))
    let observed = zip(moved, ranks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    // shares[s]: the share of all signs whose ranks above zero have the sum s.
    var shares = [Double](repeating: 0, count: ranks.reduce(0, +) + 1)
    shares[0] = 1
    var reached = 0
    for rank in ranks {
      reached += rank
      for sum in stride(from: reached, through: 0, by: -1) {
        shares[sum] = (shares[sum] + (sum >= rank ? shares[sum - rank] : 0)) / 2
      }
    }
    return shares[observed...].reduce(0, +)
  }

  /// The shift that pairs show (Hodges and Lehmann 1963): the median of the means of any two
  /// differences, each also paired with itself.
  static func shift(of differences: [Double]) -> Double {
    median(
      differences.indices.flatMap { first in
        differences[first...].map { ($0 + differences[first]) / 2 }
      })
  }

  // MARK: Both

  /// Twice the middle rank, which is always a whole number.
  private static func doubledRanks(_ values: [Double]) -> [Int] {
    values.map { value in
      let below = values.count { $0 < value }
      let equal = values.count { $0 == value }
      return 2 * below + equal + 1
    }
  }

  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The probabilities, corrected for the number of tests (Holm 1979), in the order given.
  static func holm(_ probabilities: [Double]) -> [Double] {
    var corrected = probabilities
    var largest = 0.0
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    for (place, index) in order.enumerated() {
      largest = max(largest, min(1, probabilities[index] * Double(probabilities.count - place)))
      corrected[index] = largest
    }
    return corrected
  }
}
