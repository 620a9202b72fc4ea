/// The result for one number of keychains at one rate: what they cost, and how soon presses were
/// decided.
public struct LoadStep: Codable, Equatable, Sendable {
  /// How many were connected at once.
  public var keychains: Int
  /// Presses a second that were asked of all together.
  public var rate: Double
  /// The length of the measured stretch.
  public var seconds = 0.0
  /// Presses that a keychain has stored, those of the warm-up included.
  public var presses = 0
  /// Stored presses that the core does not have.
  public var lost = 0
  /// Presses that the core has more than once, by the number of surplus entries.
  public var doubled = 0
  /// Stored presses of the measured stretch whose decision nobody saw, lost ones included.
  public var unseen = 0
  /// t0 → t3, µs: the debounce time is in it.
  public var pressToDecided: Spread?
  /// tc → t3, µs: from when the firmware has stored the press. Both ends are in one process, so no
  /// clock is fitted.
  public var storedToDecided: Spread?
  /// t0 → t4, µs: until it is on the disk; nil where none is known to be.
  public var pressToDurable: Spread?
  /// t0 → the notification channel has the message, µs, of presses that opened an alarm.
  public var pressToTold: Spread?
  /// t0 → the light says accepted, µs, by the device's clock as the bridge has fitted it.
  public var pressToLight: Spread?
  /// How late the keychains that were due were served, µs, at p99; nil where each has a thread of
  /// its own.
  public var lateP99: Int64?
  /// The largest such delay, µs; nil as `lateP99` is.
  public var lateMost: Int64?
  /// Processor time of the emulator for each keychain in each second, µs.
  public var emulatorTime = 0.0
  /// The same for the rest of the process, which is the bridge, µs.
  public var bridgeTime = 0.0
  /// Memory of the emulator for each keychain, bytes.
  public var emulatorMemory = 0
  /// Memory of the bridge for each keychain, bytes.
  public var bridgeMemory = 0
  /// How near the machine's resources are to their limits.
  public var uses: [ResourceUse] = []
  /// Why this number could not be tried at all; nil where it was.
  public var refusal: String?

  /// All figures are zero or nil until they are filled in.
  public init(keychains: Int, rate: Double = 0) { (self.keychains, self.rate) = (keychains, rate) }

  /// Whether nothing was lost or doubled, and the p99 is within `limit`.
  /// - Parameter limit: for the p99 of press to decided, µs; for lateness where nothing was
  ///   pressed.
  public func isCarried(within limit: Int64) -> Bool {
    guard refusal == nil, lost == 0, doubled == 0 else { return false }
    if presses == 0, let lateP99 { return lateP99 <= limit }
    return pressToDecided.map { $0.p99 <= limit } ?? false
  }
}

/// The distribution of measured times: median, tail and largest, by nearest rank.
public struct Spread: Codable, Equatable, Sendable {
  /// How many times were measured.
  public var count: Int
  /// In the unit of the measured times.
  public var median: Int64
  /// In the same unit; of fewer than 100 values it is the largest.
  public var p99: Int64
  /// In the same unit.
  public var largest: Int64

  /// Nil for no values.
  public init?(_ values: [Int64]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    count = sorted.count
    median = Self.rank(sorted, hundredths: 50)
    p99 = Self.rank(sorted, hundredths: 99)
    largest = sorted[sorted.count - 1]
  }

  /// The least value that at least this many hundredths of all values do not exceed.
  private static func rank(_ sorted: [Int64], hundredths: Int) -> Int64 {
    sorted[max(1, (sorted.count * hundredths + 99) / 100) - 1]
  }
}

/// A limited resource of a machine, of which each keychain takes a part.
public enum LoadResource: String, Codable, CaseIterable, Sendable {
  case processor, memory, descriptors, threads
  /// Instances of inotify(7) of this user.
  case inotify
}

/// How much of a resource is in use, and its limit.
public struct ResourceUse: Codable, Equatable, Sendable {
  /// Sets the unit of `used` and `limit`.
  public var resource: LoadResource
  /// Thousandths of a processor, bytes, or a count.
  public var used: Int
  /// In the unit of `used`.
  public var limit: Int

  /// `used` and `limit` have the unit of `resource`.
  public init(_ resource: LoadResource, used: Int, limit: Int) {
    self.resource = resource
    self.used = used
    self.limit = limit
  }

  /// `used` divided by `limit`: 0 to 1, or more. 1 where the limit is 0.
  public var share: Double { limit > 0 ? Double(used) / Double(limit) : 1 }

  /// The resource nearest to its limit, which runs out first if more keychains come.
  public static func scarcest(_ uses: [ResourceUse]) -> ResourceUse? {
    uses.max { $0.share < $1.share }
  }
}

/// The findings of `fob bench load`: the content of its JSON.
public struct LoadReport: Codable, Equatable, Sendable {
  /// As given to `--on`.
  public var on: String
  /// As given to `--owners`: "one" has all keychains, or "each" keychain has an owner of its own.
  public var owners: String
  /// The limit for the p99 of press to decided, ms.
  public var limit: Double
  /// What was tried in several numbers: "keychains", or "rate": presses a second over all of them.
  public var search: String
  /// The most of these that were carried; nil where no number was.
  public var carried: Int?
  /// The fewest that were not carried; nil where every number was.
  public var refused: Int?
  /// One for each number, in the order of trying.
  public var steps: [LoadStep] = []

  /// Begins without steps; `limit` is in ms.
  public init(on: String, owners: String, limit: Double, search: String) {
    self.on = on
    self.owners = owners
    self.limit = limit
    self.search = search
  }

  /// One sentence: how many are carried, and why more are not.
  public var summary: String {
    let unit = search == "rate" ? "presses a second" : "keychains"
    let most = carried.map { "\(on) carries \($0) \(unit)" } ?? "\(on) carries none of these"
    guard let refused,
      let step = steps.last(where: {
        refused == (search == "rate" ? Int($0.rate) : $0.keychains)
      })
    else {
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

/// Chooses the number to try next, of keychains or of presses a second. It doubles until one is not
/// carried, then goes halfway between the most carried and the fewest not carried, until these are
/// within an eighth.
public struct LoadLadder: Sendable {
  private let most: Int
  private var fixed: [Int]
  private let isFixed: Bool
  /// The most that was carried so far; nil before any was.
  public private(set) var carried: Int?
  /// The fewest that was not carried so far; nil before any was not.
  public private(set) var refused: Int?

  /// - Parameters:
  ///   - first: the number to begin with, at least 1.
  ///   - most: the number that is never exceeded.
  public init(from first: Int, to most: Int) {
    precondition(first >= 1 && first <= most, "a ladder goes up")
    self.most = most
    fixed = [first]
    isFixed = false
  }

  /// Tries these numbers in this order, whatever their outcomes.
  public init(steps: [Int]) {
    most = steps.max() ?? 0
    fixed = steps.reversed()
    isFixed = true
  }

  /// The next number to try; nil at the end.
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

  /// Notes the outcome of a number; `isCarried`: within the limit, and nothing lost.
  public mutating func note(_ number: Int, isCarried: Bool) {
    if isCarried {
      carried = max(carried ?? 0, number)
    } else {
      refused = min(refused ?? .max, number)
    }
  }
}
