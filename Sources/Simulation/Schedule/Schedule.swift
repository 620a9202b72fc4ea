import AlertCore
import Emulator
import FobBase
public import Judge

/// What is done to a world, and when: drawn by one seed, or what shrinking has left of that.
public struct Schedule: Sendable {
  /// Decides all chance in the world, also where shrinking has left few acts.
  public let seed: UInt64
  /// What the world is made of.
  public var setting: Setting
  /// In the order of time.
  public var acts: [ScheduledAction]

  /// A world in which nothing happens.
  public init(quiet setting: Setting, seed: UInt64 = 0) {
    self.seed = seed
    self.setting = setting
    acts = []
  }

  /// Swarm testing: each seed draws the faults that happen in its world, then what they do and
  /// when, most of it close to a press.
  public init(seed: UInt64) {
    self.seed = seed
    var random = SplitMix64(state: SplitSeed.seed(seed, 0))
    setting = Setting(drawnWith: &random)
    let share = [0.1, 0.3, 0.5, 0.8].randomElement(using: &random)!
    var people = SplitMix64(state: SplitSeed.seed(seed, 2))
    let hasAccount = Int.random(in: 0..<3, using: &people) == 0
    if hasAccount { setting.drawAccount(&people) }
    if Int.random(in: 0..<3, using: &people) == 0 {
      setting.ways = Int.random(in: 2...3, using: &people)
    }
    let faults = Fault.allCases.filter { $0.isOfEveryWorld }.filter {
      $0.isOrdinary || Double.random(in: 0..<1, using: &random) < share
    }
    let lots = faults.lots
    let count = Int.random(in: 3...40, using: &random)
    let draw = ScheduleGenerator(setting)
    let times = draw.times(count, &random)
    let unsorted = times.map { (at: $0, action: draw.action(lots, &random)) }
    var drawn = unsorted.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    .map(\.element)
    if Int.random(in: 0..<60, using: &random) == 0 { drawn = draw.siege(drawn, &random) }
    var defect = SplitMix64(state: SplitSeed.seed(seed, 1))
    drawn += draw.defect(&defect)
    if hasAccount { drawn += draw.account(near: drawn.map(\.at), &people) }
    var far = SplitMix64(state: SplitSeed.seed(seed, 3))
    if Int.random(in: 0..<4, using: &far) == 0 {
      setting.drawBridge(&far)
      drawn += draw.bridge(near: drawn.map(\.at), &far)
    }
    acts = drawn.enumerated().map { index, act in
      ScheduledAction(
        at: act.at, action: act.action, seed: SplitSeed.seed(seed, UInt64(index) + 16),
        number: index)
    }
    acts.sort { ($0.at, $0.number) < ($1.at, $1.number) }
  }

  /// The acts with these numbers alone.
  public func keeping(_ numbers: Set<Int>) -> Schedule {
    var schedule = self
    schedule.acts.removeAll { !numbers.contains($0.number) }
    return schedule
  }
}

extension Schedule {
  /// The shortest schedule found whose world breaks the same rule first.
  /// - Parameters:
  ///   - violation: the first of this schedule.
  ///   - mostPlays: so many worlds are played at the most.
  ///   - play: how a world is played.
  /// - Returns: this schedule, where none that is shorter was found; and how many were played.
  public func shrunk(
    keeping violation: Violation, maxPlays: Int = 2_000,
    by play: (Schedule) -> Outcome = { $0.play() }
  ) -> (schedule: Schedule, plays: Int) {
    func breaks(_ numbers: [Int]) -> Bool {
      play(keeping(Set(numbers))).violations.first?.rule == violation.rule
    }
    var shrinker = Shrinker(maxPlays: maxPlays)
    // What comes later than the violation was never done.
    let done = acts.filter { $0.at <= violation.at }.map(\.number)
    let kept = shrinker.shrink(done, while: breaks)
    return (keeping(Set(kept)), shrinker.plays)
  }
}

extension Schedule {
  /// What the world is made of, and what is done to it, a line each.
  public var words: [String] {
    setting.words
      + acts.map { act in
        NumberText.right(NumberText.seconds(act.at), 15)
          + "  \(NumberText.left("act \(act.number)", 11))  \(act.action.object): \(act.action.words)"
      }
  }
}

extension Setting {
  var words: [String] {
    [
      "world: " + world.joined(separator: ", "),
      "policy: " + policyWords.joined(separator: ", "),
      "time: calm from \(NumberText.seconds(calmFrom)), end at \(NumberText.seconds(end))",
    ]
  }

  private var world: [String] {
    [
      NumberText.count(keychains, "keychain"), NumberText.count(hosts, "host"),
      NumberText.count(contacts, "contact"), "\(NumberText.count(ways, "way")) to each",
      accountWords,
    ] + bridgeWords + [
      "latency \(latency.lowerBound) to \(latency.upperBound) µs",
      "drift \(drift.map { "\($0)" }.joined(separator: "/")) ppm",
      bounces ? "bouncing contacts" : "clean contacts",
      linesKeepBytes ? "lines keep bytes" : "lines lose bytes that nobody reads",
      hasGPS ? "GPS" : "no GPS", hasPIN ? "a PIN" : "no PIN",
    ]
  }

  private var bridgeWords: [String] {
    guard let bridge else { return [] }
    let numbers = bridge.keychains.sorted().map { "\($0 + 1)" }.joined(separator: " and ")
    return ["a bridge of keychains \(numbers) to host \(bridge.host + 1)"]
  }

  private var accountWords: String {
    guard isLoggedIn else { return "logged out" }
    guard let claimed else { return "logged in" }
    let numbers = claimed.sorted().map { "\($0 + 1)" }.joined(separator: " and ")
    return numbers.isEmpty ? "no keychain claimed" : "keychains \(numbers) claimed"
  }

  private var policyWords: [String] {
    let profile =
      switch policy.profile {
      case .literal: "literal"
      case .guarded(let slots):
        "guarded with slots \(slots.numbers.map { "\($0)" }.joined(separator: ","))"
      }
    return [
      profile, "countdown \(NumberText.length(policy.buttonCountdown))",
      "tracking \(NumberText.length(policy.tracking))",
      "a message every \(NumberText.length(policy.messageEvery))",
      "failed after \(NumberText.length(policy.failAfter))",
      "countdown of a trigger \(NumberText.length(policy.triggerCountdown))",
    ]
  }
}

/// Seeds of their own for the parts of a world, so that one part can change without the others.
enum SplitSeed {
  /// What the generator of `seed` gives after `part` numbers.
  static func seed(_ seed: UInt64, _ part: UInt64) -> UInt64 {
    var random = SplitMix64(state: seed &+ part &* SplitMix64.step)
    return random.next()
  }
}
