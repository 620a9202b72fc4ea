import AlertCore
import Emulator
import FobBase
public import Judge

/// The actions on a world, with their times: drawn by one seed, or left over by shrinking.
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

  /// Draws a schedule by swarm testing: the seed draws which faults its world has, then what they
  /// do and when, most of it close to a press.
  /// - Parameters:
  ///   - seed: the world's.
  ///   - isAttacked: whether somebody is on the wires, between ends that are paired.
  public init(seed: UInt64, isAttacked: Bool = false) {
    self.seed = seed
    acts = []
    var random = SplitMix64(state: SplitSeed.seed(seed, 0))
    setting = Setting(drawnWith: &random)
    let share = [0.1, 0.3, 0.5, 0.8].randomElement(using: &random)!
    var people = SplitMix64(state: SplitSeed.seed(seed, 2))
    var hasAccount = Int.random(in: 0..<3, using: &people) == 0
    var sharing = SplitMix64(state: SplitSeed.seed(seed, 10))
    if !isAttacked, Int.random(in: 0..<7, using: &sharing) == 0 {
      setting.drawOwners(&sharing)
      hasAccount = true
    }
    var lacking = SplitMix64(state: SplitSeed.seed(seed, 11))
    setting.drawBoards(&lacking)
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
    let unsorted = draw.times(count, &random).map { (at: $0, action: draw.action(lots, &random)) }
    var drawn = unsorted.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    .map(\.element)
    if Int.random(in: 0..<60, using: &random) == 0 { drawn = draw.siege(drawn, &random) }
    var defect = SplitMix64(state: SplitSeed.seed(seed, 1))
    drawn += draw.defect(&defect)
    if hasAccount { drawn += draw.account(near: drawn.map(\.at), &people) }
    var far = SplitMix64(state: SplitSeed.seed(seed, 3))
    if Int.random(in: 0..<4, using: &far) == 0, !setting.isShared {
      setting.drawBridge(&far)
      drawn += draw.bridge(near: drawn.map(\.at), &far)
    }
    drawn += drawCompanions()
    var leaving = SplitMix64(state: SplitSeed.seed(seed, 8))
    if hasAccount, Int.random(in: 0..<10, using: &leaving) == 0 {
      setting.hasErasure = true
      drawn += ScheduleGenerator(setting).erasure(&leaving)
    }
    if setting.isShared {
      drawn.removeAll { !$0.action.isOfSharedWorld }
      drawn += ScheduleGenerator(setting).neighbors(&sharing)
    }
    if isAttacked {
      setting.isAttacked = true
      setting.bridge = nil
      drawn.removeAll { !$0.action.fault.isOfAttackedWorld }
      var attacking = SplitMix64(state: SplitSeed.seed(seed, 9))
      drawn += ScheduleGenerator(setting).attacks(near: drawn.map(\.at), &attacking)
    }
    acts = drawn.enumerated().map { index, act in
      ScheduledAction(
        at: act.at, action: act.action, seed: SplitSeed.seed(seed, UInt64(index) + 16),
        number: index)
    }
    acts.sort { ($0.at, $0.number) < ($1.at, $1.number) }
  }

  /// Draws what stands beside the alarm: check-ins, messages, exercises and reviews.
  private mutating func drawCompanions() -> [(at: Instant, action: FaultAction)] {
    var drawn: [(at: Instant, action: FaultAction)] = []
    var asking = SplitMix64(state: SplitSeed.seed(seed, 4))
    if Int.random(in: 0..<4, using: &asking) == 0 {
      setting.drawCheckIns(&asking)
      drawn += ScheduleGenerator(setting).checkIns(&asking)
    }
    var writing = SplitMix64(state: SplitSeed.seed(seed, 5))
    if Int.random(in: 0..<5, using: &writing) == 0 {
      setting.drawMessages(&writing)
      drawn += ScheduleGenerator(setting).messages(&writing)
    }
    var breathing = SplitMix64(state: SplitSeed.seed(seed, 6))
    if Int.random(in: 0..<5, using: &breathing) == 0 {
      setting.drawExercises(&breathing)
      drawn += ScheduleGenerator(setting).exercises(&breathing)
    }
    var lookingBack = SplitMix64(state: SplitSeed.seed(seed, 7))
    if Int.random(in: 0..<5, using: &lookingBack) == 0 {
      setting.drawReviews(&lookingBack)
      drawn += ScheduleGenerator(setting).reviews(&lookingBack)
    }
    return drawn
  }

  /// The schedule with only the acts of these numbers.
  public func keeping(_ numbers: Set<Int>) -> Schedule {
    var schedule = self
    schedule.acts.removeAll { !numbers.contains($0.number) }
    return schedule
  }
}

extension Schedule {
  /// Looks for the shortest schedule whose world breaks the same rule first.
  /// - Parameters:
  ///   - violation: the first violation of this schedule.
  ///   - maxPlays: how many worlds are played at most.
  ///   - play: how a world is played.
  /// - Returns: the shortest schedule found, or this one; and how many worlds were played.
  public func shrunk(
    keeping violation: Violation, maxPlays: Int = 2_000,
    by play: (Schedule) -> Outcome = { $0.play() }
  ) -> (schedule: Schedule, plays: Int) {
    func breaks(_ numbers: [Int]) -> Bool {
      play(keeping(Set(numbers))).violations.first?.rule == violation.rule
    }
    var shrinker = Shrinker(maxPlays: maxPlays)
    // Acts later than the violation were never done.
    let done = acts.filter { $0.at <= violation.at }.map(\.number)
    let kept = shrinker.shrink(done, while: breaks)
    return (keeping(Set(kept)), shrinker.plays)
  }
}

extension Schedule {
  /// The setting and the actions in words, one line each.
  public var words: [String] {
    setting.words
      + acts.map { act in
        NumberText.right(NumberText.seconds(act.at), 15) + "  "
          + NumberText.left("act \(act.number)", 11)
          + "  \(act.action.object): \(act.action.words)"
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
      NumberText.count(keychains, "keychain"),
      NumberText.count(hosts, isShared ? "account" : "host") + (isShared ? " of one process" : ""),
      NumberText.count(contacts, "contact"), "\(NumberText.count(ways, "way")) to each",
      accountWords,
    ] + bridgeWords + [
      "latency \(latency.lowerBound) to \(latency.upperBound) µs",
      "drift \(drift.map { "\($0)" }.joined(separator: "/")) ppm",
      bounces ? "bouncing contacts" : "clean contacts",
      linesKeepBytes ? "lines keep bytes" : "lines lose bytes that nobody reads",
      hasGPS ? "GPS" : "no GPS", hasPIN ? "a PIN" : "no PIN",
    ] + bareWords + (zone.map { ["check-ins by \($0.words)"] } ?? [])
      + (hasExercises ? ["exercises"] : []) + (hasReviews ? ["reviews"] : [])
      + (hasErasure ? ["an erasure"] : []) + (isAttacked ? ["somebody on the wires"] : [])
  }

  private var bareWords: [String] {
    guard !bare.isEmpty else { return [] }
    let numbers = bare.sorted().map { "\($0 + 1)" }.joined(separator: " and ")
    return ["neither battery nor receiver at keychain \(numbers)"]
  }

  private var bridgeWords: [String] {
    guard let bridge else { return [] }
    let numbers = bridge.keychains.sorted().map { "\($0 + 1)" }.joined(separator: " and ")
    return ["a bridge of keychains \(numbers) to host \(bridge.host + 1)"]
  }

  private var accountWords: String {
    guard isLoggedIn else { return "logged out" }
    guard !isShared else {
      let words = owners.map { $0.map { "host \($0 + 1)'s" } ?? "nobody's" }
      return "keychains " + words.joined(separator: " and ")
    }
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

/// Derives a seed for each part of a world, so that one part can change without the others.
enum SplitSeed {
  /// The number that the generator of `seed` gives after `part` others.
  static func seed(_ seed: UInt64, _ part: UInt64) -> UInt64 {
    var random = SplitMix64(state: seed &+ part &* SplitMix64.step)
    return random.next()
  }
}
