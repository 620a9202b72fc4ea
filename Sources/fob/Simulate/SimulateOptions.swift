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
