import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// Keychains, lines, hosts, a bridge, disks, notification channels and people in virtual time, on
/// one thread. The code that runs is the production code: firmware, both ends of the link,
/// sessions, both ends of a feed, core. Only its surroundings are simulated, and one seed decides
/// all of them.
final class World {
  /// How many turns one instant may have before the world reports that time stands still.
  private static let maxTurns = 20_000

  let schedule: Schedule
  // What each turn asks for of the schedule: read out of it, all of it would be copied.
  private let acts: [ScheduledAction]
  private let calmFrom: Instant
  let linesKeepBytes: Bool
  let isShared: Bool
  private(set) var judge: Judge
  private(set) var now = Instant(microseconds: 0)
  let keychains: [SimulatedKeychain]
  let lines: [SimulatedLine]
  let hosts: [SimulatedHost]
  let bridge: SimulatedBridge?
  /// Nil: nobody is on the wires, and no keychain is paired.
  var attacker: Attacker?
  /// What each keychain is saying, for the judge of an attacked world.
  var listeners: [FrameDecoder] = []
  /// Keychains at a bridge that hears nothing of its core.
  var cutOff: Set<Int> = []
  var activeFaults = ActiveFaults()
  /// The buffer for arriving chunks, kept for its memory.
  var chunk: [UInt8] = []
  private(set) var isCalm = false
  var lastRequest: UInt64 = 0
  var coverage = Coverage()
  private(set) var hash = TraceHash()
  /// All observations in order; empty unless a journal is kept.
  private(set) var journal: [TimedObservation] = []
  private let keepsJournal: Bool
  private var nextAct = 0
  /// Words that stand in answers of reviews, and must stand nowhere else.
  let plantedWords: [String]
  var search = WordSearch()
  let sabotage: (any MutationHook)?

  /// - Parameter keepsJournal: keeps all observations, for a timeline.
  init(_ schedule: Schedule, sabotage: (any MutationHook)? = nil, keepsJournal: Bool = false) {
    self.schedule = schedule
    self.sabotage = sabotage
    self.keepsJournal = keepsJournal
    let setting = schedule.setting
    acts = schedule.acts
    calmFrom = setting.calmFrom
    linesKeepBytes = setting.linesKeepBytes
    isShared = setting.isShared
    judge = Judge(Rules(schedule))
    plantedWords = schedule.acts.compactMap { act in
      if case .review(_, .save(_, _, let word, _)) = act.action { word } else { nil }
    }
    func seed(_ part: Int) -> UInt64 { SplitSeed.seed(schedule.seed, UInt64(part)) }
    keychains = (0..<setting.keychains).map {
      SimulatedKeychain($0, setting, seed: seed(1_000 + $0))
    }
    lines = (0..<setting.keychains).map {
      SimulatedLine(setting.latency, host: setting.host(of: $0), seed: seed(2_000 + $0))
    }
    let shared = setting.isShared ? Disk(accounts: setting.hosts) : nil
    hosts = (0..<setting.hosts).map {
      SimulatedHost($0, setting, on: shared ?? Disk(accounts: 1), seed: seed(3_000 + $0))
    }
    bridge = setting.bridge.map { SimulatedBridge($0, seed: seed(4_000)) }
    if setting.isAttacked {
      listeners = keychains.map { _ in FrameDecoder() }
      attacker = Attacker(on: keychains.map(\.board.deviceID), seed: seed(5_000))
      pair(seed)
    }
    for case .sicken(let index, _) in schedule.acts.map(\.action) { keychains[index].giveVoice() }
    for keychain in keychains { boot(keychain, .powerOn) }
  }

  /// Virtual seconds that have passed, counted once for each keychain.
  var deviceSeconds: Double { Double(now.microseconds) / 1e6 * Double(keychains.count) }

  // MARK: Time

  /// Runs the world to its end, or to the first violation.
  func run() {
    let end = schedule.setting.end
    var turns = 0
    while judge.violations.isEmpty {
      let next = max(now, nextDue)
      guard next <= end else { break }
      turns = next > now ? 0 : turns + 1
      guard turns < Self.maxTurns else {
        judge.accuse(.timeStandsStill, at: now, "turns for ever at one moment")
        return
      }
      now = next
      turn()
    }
    guard judge.violations.isEmpty else { return }
    now = end
    for keychain in keychains {
      see(.unacked(keychain: keychain.index, count: keychain.unacked))
    }
    for host in hosts {
      lookForOwner(host)
      readCompanions(host)
    }
    judge.finish(at: now)
  }

  private var nextDue: Instant {
    var due = activeFaults.nextDue
    if nextAct < acts.count { due = min(due, acts[nextAct].at) }
    if !isCalm { due = min(due, calmFrom) }
    for index in keychains.indices {
      due = min(due, keychains[index].nextDue)
      due = min(due, lines[index].toDevice.nextDue)
      let arrives = lines[index].toHost.nextDue
      if arrives < due, !isKept(index) { due = arrives }
    }
    for host in hosts { due = min(due, host.nextDue) }
    if let bridge { due = min(due, bridge.nextDue) }
    if let attacker { due = min(due, attacker.nextDue) }
    return due
  }

  private func turn() {
    while nextAct < acts.count, acts[nextAct].at <= now {
      nextAct += 1
      perform(acts[nextAct - 1])
    }
    while let ending = activeFaults.take(upTo: now) { perform(ending) }
    if !isCalm, calmFrom <= now { becomeCalm() }
    if attacker != nil { moveAttacker() }
    for keychain in keychains {
      deliverToDevice(keychain)
      if keychain.nextDue <= now { turn(keychain) }
      deliverToHost(keychain.index)
    }
    for host in hosts where host.nextDue <= now { turn(host) }
    if let bridge, bridge.nextDue <= now { turn(bridge) }
  }

  /// Ends all faults: from now on everything is well.
  private func becomeCalm() {
    isCalm = true
    while let ending = activeFaults.take(upTo: .never) { perform(ending) }
    for keychain in keychains { mend(keychain) }
    for host in hosts { mend(host) }
    if let bridge { mend(bridge) }
    sendAway()
    see(.calm)
  }

  // MARK: What is seen

  func see(_ observation: Observation) {
    hash.mix(observation, at: now)
    judge.observe(observation, at: now)
    if keepsJournal { journal.append(TimedObservation(at: now, what: observation)) }
  }

  func heardOnLine(_ bytes: UnsafeRawBufferPointer) { hash.mix(bytes, at: now) }
}
