import AlertCore
import FobBase
public import Judge

/// How often each fault struck in each state of an emergency, during each activity. An empty cell
/// is a blind spot.
public struct Coverage: Sendable {
  /// What was going on in a world when a fault struck.
  public enum Activity: Int, Sendable, CaseIterable {
    case atRest
    /// A contact is closed, or a finger is about to close it.
    case pressing
    /// A keychain has an event that nobody has acked.
    case unacked
    case committing
    /// A message waits, or is on its way.
    case telling
    /// The process was started less than a second ago.
    case starting
    /// A cable is unplugged, or a keychain without power.
    case away
    /// A check-in can be answered.
    case asking
    /// The owner breathes, or counts what is noticed.
    case exercising
  }

  /// R40's six states, and nil for a host whose process is down.
  public static let states: [Workflow?] = Workflow.allCases + [nil]

  private var counts: [UInt64]

  /// Nothing was met.
  public init() {
    counts = Array(
      repeating: 0, count: Fault.allCases.count * Self.states.count * Activity.allCases.count)
  }

  /// How often a fault struck there; `state` is nil where the host's process was down.
  public func count(_ fault: Fault, in state: Workflow?, _ activity: Activity) -> Int {
    Int(counts[Self.cell(fault, state, activity)])
  }

  /// All that was met, in a fixed order.
  var cells: [(fault: Fault, state: Workflow?, activity: Activity, count: UInt64)] {
    Fault.allCases.flatMap { fault in
      Self.states.flatMap { state in
        Activity.allCases.compactMap { activity in
          let count = counts[Self.cell(fault, state, activity)]
          return count == 0 ? nil : (fault, state, activity, count)
        }
      }
    }
  }

  func hasMet(_ fault: Fault) -> Bool {
    Self.states.contains { state in
      Activity.allCases.contains { count(fault, in: state, $0) > 0 }
    }
  }

  /// Sums cell by cell.
  public mutating func add(_ other: Coverage) {
    for index in counts.indices { counts[index] &+= other.counts[index] }
  }

  mutating func add(_ count: UInt64, _ fault: Fault, in state: Workflow?, _ activity: Activity) {
    counts[Self.cell(fault, state, activity)] &+= count
  }

  mutating func count(_ fault: Fault, in world: World) {
    for host in world.hosts {
      for activity in Self.activities(of: world, host) {
        counts[Self.cell(fault, host.state, activity)] &+= 1
      }
    }
  }

  private static func activities(of world: World, _ host: SimulatedHost) -> [Activity] {
    var activities: [Activity] = []
    for (keychain, line) in zip(world.keychains, world.lines) {
      if !keychain.finger.isResting || keychain.board.isClosed { activities.append(.pressing) }
      if keychain.unacked > 0 { activities.append(.unacked) }
      if !keychain.isOn || line.host == nil { activities.append(.away) }
    }
    if let run = host.run {
      if !run.core.checkIns.open.isEmpty { activities.append(.asking) }
      if run.core.exercises.running != nil { activities.append(.exercising) }
      if run.process.commits.isBusy { activities.append(.committing) }
      if run.channels.contains(where: { $0.count > 0 }) { activities.append(.telling) }
      if world.now - run.began < .seconds(1) { activities.append(.starting) }
    }
    return activities.isEmpty ? [.atRest] : activities
  }

  private static func cell(_ fault: Fault, _ state: Workflow?, _ activity: Activity) -> Int {
    let place = state.map { Workflow.allCases.firstIndex(of: $0)! } ?? Workflow.allCases.count
    return (fault.rawValue * states.count + place) * Activity.allCases.count + activity.rawValue
  }
}

/// The result of playing one schedule.
public struct Outcome: Sendable {
  /// The schedule that was played.
  public let schedule: Schedule
  /// The first violations; empty: every rule was kept.
  public let violations: [Violation]
  /// How many events disks and boards had lied about.
  public let excused: Int
  /// Digest of all observations and all bytes on the lines: the same for the same schedule in each
  /// run.
  public let hash: UInt64
  /// Virtual seconds, counted once for each keychain.
  public let deviceSeconds: Double
  /// The states and activities that its acts met.
  public let coverage: Coverage
  /// All observations in order; empty unless it was asked for.
  public let journal: [TimedObservation]
}

extension Schedule {
  /// Plays the schedule to its end, or to the first violation.
  public func play(keepingJournal: Bool = false) -> Outcome {
    play(sabotagedBy: nil, keepingJournal: keepingJournal)
  }

  func play(sabotagedBy sabotage: (any MutationHook)?, keepingJournal: Bool = false) -> Outcome {
    let world = World(self, sabotage: sabotage, keepsJournal: keepingJournal)
    world.run()
    return Outcome(
      schedule: self, violations: world.judge.violations, excused: world.judge.excused,
      hash: world.hash.value, deviceSeconds: world.deviceSeconds, coverage: world.coverage,
      journal: world.journal)
  }
}
