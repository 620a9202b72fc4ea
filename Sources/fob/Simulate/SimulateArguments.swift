import ArgumentParser

/// `A..B`, both included; `A` alone is one seed.
struct SeedRange: ExpressibleByArgument {
  let range: ClosedRange<UInt64>

  init?(argument: String) {
    guard let dots = argument.firstRange(of: "..") else {
      guard let only = UInt64(argument) else { return nil }
      range = only...only
      return
    }
    guard let first = UInt64(argument[..<dots.lowerBound]),
      let last = UInt64(argument[dots.upperBound...]), first <= last
    else { return nil }
    range = first...last
  }
}

/// `3,7,12`; nothing at all is a world to which nothing is done.
struct ActionNumbers: ExpressibleByArgument {
  let numbers: Set<Int>

  init?(argument: String) {
    guard !argument.isEmpty else {
      numbers = []
      return
    }
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard !parts.contains(where: { $0 == nil || $0! < 0 }) else { return nil }
    numbers = Set(parts.compactMap(\.self))
  }
}

/// `K/N`: the Kth of N parts of the seeds, which differ by one seed at most.
struct Shard: ExpressibleByArgument {
  let number: UInt64
  let count: UInt64

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt64(parts[0]), let count = UInt64(parts[1]),
      number >= 1, number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Nil where there are fewer seeds than parts, or all that there are.
  func part(of seeds: ClosedRange<UInt64>) -> ClosedRange<UInt64>? {
    let all = (seeds.upperBound - seeds.lowerBound).addingReportingOverflow(1)
    guard !all.overflow, all.partialValue >= count else { return nil }
    let (size, rest) = all.partialValue.quotientAndRemainder(dividingBy: count)
    let first = seeds.lowerBound + (number - 1) * size + min(number - 1, rest)
    return first...first + (size - 1) + (number <= rest ? 1 : 0)
  }
}
