import CBench

/// Times several ways of doing the same work, block by block in turn, so that whatever else the
/// machine does falls on all of them.
struct Blocks {
  struct Way {
    let name: String
    /// Does one block of the work and says how many units of it were right.
    let block: () -> Int
  }

  /// Median time of a unit, ns, in the order of `ways`.
  static func medians(
    of ways: [Way], units: Int, blocks: Int, warmUp: Int = 20
  ) throws -> [Double] {
    var times = [[UInt64]](repeating: [], count: ways.count)
    for round in 0..<warmUp + blocks {
      for (index, way) in ways.enumerated() {
        let begun = bench_monotonic()
        let right = way.block()
        let took = bench_monotonic() - begun
        guard right == units else {
          throw BenchFailure("\(way.name) read \(right) of \(units) rightly")
        }
        if round >= warmUp { times[index].append(took) }
      }
    }
    return times.map { Double(quantile(0.5, of: $0)) / Double(units) }
  }
}

/// Nearest rank; `values` need no order.
func quantile<T: Comparable>(_ q: Double, of values: [T]) -> T {
  values.sorted()[min(values.count - 1, Int(q * Double(values.count)))]
}
