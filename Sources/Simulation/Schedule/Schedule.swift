import Emulator
import FobBase

/// What is done to a world, and when: drawn by one seed, or what shrinking has left of that.
public struct Schedule: Sendable {
  public let seed: UInt64
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
