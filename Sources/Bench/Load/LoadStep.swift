/// What one number of keychains cost, and how soon their presses were decided.
public struct LoadStep: Codable, Equatable, Sendable {
  public var keychains: Int
  /// Of the measured stretch.
  public var seconds = 0.0
  /// Presses that a keychain has stored, and of them those that the core has not, or twice.
  public var presses = 0
  public var lost = 0
  public var doubled = 0
  /// Presses that the core has and of which nobody saw when it decided.
  public var unseen = 0
  /// t0 → t3, µs: the debounce time is in it.
  public var pressToDecided: Spread?
  /// tc → t3, µs: from where the firmware has stored the press. No clock is fitted: both ends are
  /// in one process.
  public var storedToDecided: Spread?
  /// How late the keychains were served that were due, µs: p99 and the most; nil where each has a
  /// thread of its own.
  public var lateP99: Int64?
  public var lateMost: Int64?
  /// Processor time of each keychain in each second, µs.
  public var emulatorTime = 0.0
  public var bridgeTime = 0.0
  /// Bytes of each keychain.
  public var emulatorMemory = 0
  public var bridgeMemory = 0
  public var uses: [ResourceUse] = []
  /// Why it could not be tried at all.
  public var refusal: String?

  public init(keychains: Int) { self.keychains = keychains }

  /// - Parameter limit: of the p99 of press to decided, µs; of lateness where nothing was pressed.
  public func isCarried(within limit: Int64) -> Bool {
    guard refusal == nil, lost == 0, doubled == 0 else { return false }
    if presses == 0, let lateP99 { return lateP99 <= limit }
    return pressToDecided.map { $0.p99 <= limit } ?? false
  }
}

/// How measured times lie: the median, the tail and the largest, by nearest rank.
public struct Spread: Codable, Equatable, Sendable {
  public var count: Int
  /// In the unit of what was measured.
  public var median: Int64
  public var p99: Int64
  public var largest: Int64

  /// Nil of nothing.
  public init?(_ values: [Int64]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    count = sorted.count
    median = Self.rank(sorted, hundredths: 50)
    p99 = Self.rank(sorted, hundredths: 99)
    largest = sorted[sorted.count - 1]
  }

  /// The least value that at least so many hundredths of all do not exceed.
  private static func rank(_ sorted: [Int64], hundredths: Int) -> Int64 {
    sorted[max(1, (sorted.count * hundredths + 99) / 100) - 1]
  }
}

/// Something of which a machine has only so much, and of which each keychain takes a part.
public enum LoadResource: String, Codable, CaseIterable, Sendable {
  case processor, memory, descriptors, threads
  /// Instances of inotify(7) of this user.
  case inotify
}

/// How much of a resource is in use, of how much.
public struct ResourceUse: Codable, Equatable, Sendable {
  public var resource: LoadResource
  /// Share of a processor times 1,000, bytes, or how many.
  public var used: Int
  public var limit: Int

  public init(_ resource: LoadResource, used: Int, limit: Int) {
    self.resource = resource
    self.used = used
    self.limit = limit
  }

  /// 0 to 1, or more.
  public var share: Double { limit > 0 ? Double(used) / Double(limit) : 1 }

  /// What is nearest to its limit: what gives out first if more keychains come.
  public static func scarcest(_ uses: [ResourceUse]) -> ResourceUse? {
    uses.max { $0.share < $1.share }
  }
}

/// What `fob bench load` has found: what its JSON holds.
public struct LoadReport: Codable, Equatable, Sendable {
  /// As `--on` says it.
  public var on: String
  /// Of the p99 of press to decided, ms.
  public var limit: Double
  /// Presses a second of all keychains.
  public var rate: Double
  /// The most keychains that were carried, and the least that were not; nil where there was none.
  public var carried: Int?
  public var refused: Int?
  public var steps: [LoadStep] = []

  public init(on: String, limit: Double, rate: Double) {
    self.on = on
    self.limit = limit
    self.rate = rate
  }

  public var summary: String {
    let most = carried.map { "\(on) carries \($0) keychains" } ?? "\(on) carries none of these"
    guard let refused, let step = steps.last(where: { $0.keychains == refused }) else {
      return "\(most) with a p99 within \(limit) ms"
    }
    return "\(most) with a p99 within \(limit) ms, not \(refused): \(reason(step))"
  }

  private func reason(_ step: LoadStep) -> String {
    if let refusal = step.refusal { return refusal }
    if step.lost + step.doubled > 0 { return "presses were lost or doubled" }
    guard let scarcest = ResourceUse.scarcest(step.uses) else { return "it is too late" }
    let share = Int((scarcest.share * 100).rounded())
    return "nearest to its limit is \(scarcest.resource.rawValue), \(share) %"
  }
}

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
