import FobBase
import Judge
import Testing
import WireProtocol

@testable import Simulation

/// Owners beside each other: hosts that are accounts of one process, each with a keychain.
@Suite struct NeighborTests {
  private func play(
    _ actions: [(milliseconds: Int64, FaultAction)], owners: [Int?] = [0, 1], seed: UInt64
  ) -> Outcome {
    var setting = Setting()
    setting.keychains = owners.count
    setting.drift = owners.map { _ in 0 }
    setting.hosts = 2
    setting.owners = owners
    var schedule = Schedule(quiet: setting, seed: seed)
    schedule.acts = actions.enumerated().map { number, act in
      ScheduledAction(
        at: Instant(microseconds: act.milliseconds * 1_000), action: act.1,
        seed: SplitSeed.seed(seed, UInt64(number)), number: number)
    }
    return schedule.play(keepingJournal: true)
  }

  private static func press(_ keychain: Int) -> FaultAction {
    .press(keychain: keychain, hold: .milliseconds(100))
  }

  /// The states that the incidents of a host reached, in order.
  private func states(of host: Int, in outcome: Outcome) -> [Workflow] {
    outcome.journal.compactMap { seen in
      if case .moved(host, _, _, let to) = seen.what { to } else { nil }
    }
  }

  @Test func `one world in seven is of two or three accounts of one process`() {
    let settings = (1...600).map { Schedule(seed: $0).setting }
    let shared = settings.filter(\.isShared)
    #expect((60...120).contains(shared.count))
    #expect(Set(shared.map(\.hosts)) == [2, 3])
    #expect(shared.allSatisfy { $0.bridge == nil && $0.owners.count == $0.keychains })
    #expect((1...100).allSatisfy { !Schedule(seed: $0, isAttacked: true).setting.isShared })
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `a press is its keychain's owner's alarm, and one owner's PIN ends one alarm`(seed: UInt64) {
    let outcome = play(
      [(5_000, Self.press(0)), (5_000, Self.press(1)), (20_000, .person(host: 1, .disarm))],
      seed: seed)
    #expect(outcome.violations.isEmpty)
    #expect(states(of: 0, in: outcome) == [.emergencySending, .emergencySent])
    #expect(states(of: 1, in: outcome).last == .emergencyEnded)
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `what another account has stored already, the new owner's light owes nobody`(seed: UInt64) {
    let outcome = play(
      [
        (4_000, .delay(keychain: 0, by: .seconds(1), for: .seconds(20))), (5_000, Self.press(0)),
        (6_100, .person(host: 1, .claim(DeviceID(keychain: 0)))), (6_200, Self.press(0)),
      ], owners: [nil, 1], seed: seed)
    #expect(outcome.violations.isEmpty)
    #expect(states(of: 1, in: outcome) == [.emergencySending, .emergencySent])
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `a kill takes the cores of all accounts, and their alarms go on`(seed: UInt64) {
    let outcome = play(
      [
        (5_000, Self.press(0)), (5_000, Self.press(1)),
        (5_200, .kill(host: 1, afterEffects: 0, for: .seconds(1))),
      ], seed: seed)
    #expect(outcome.violations.isEmpty)
    let stops = outcome.journal.filter { if case .stopped = $0.what { true } else { false } }
    #expect(stops.count == 2)
    #expect(stops.first?.at == stops.last?.at)
    let found = outcome.journal.compactMap { seen in
      if case .started(_, let found) = seen.what { found.state } else { nil }
    }
    #expect(found == [.noEmergency, .noEmergency, .emergencySent, .emergencySent])
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `a keychain that changes its owner is the new one's alarm from then on`(seed: UInt64) {
    let device = DeviceID(keychain: 0)
    let outcome = play(
      [
        (5_000, .person(host: 0, .disconnect(device))), (6_000, .person(host: 1, .claim(device))),
        (7_000, Self.press(0)),
      ], seed: seed)
    #expect(outcome.violations.isEmpty)
    #expect(states(of: 0, in: outcome).isEmpty)
    #expect(states(of: 1, in: outcome) == [.emergencySending, .emergencySent])
  }

  /// The ack was lost with the line, so the keychain says the press once more.
  @Test(arguments: 0..<5 as Range<UInt64>)
  func `a press that its owner's disk has is no alarm of the next owner's`(seed: UInt64) {
    let device = DeviceID(keychain: 0)
    let outcome = play(
      [
        (5_000, .delay(keychain: 0, by: .seconds(1), for: .seconds(30))), (6_000, Self.press(0)),
        (7_500, .unplug(keychain: 0, for: .seconds(6))), (8_000, .person(host: 0, .disarm)),
        (8_500, .person(host: 0, .resume)), (9_000, .person(host: 0, .disconnect(device))),
        (9_500, .person(host: 1, .claim(device))),
      ], seed: seed)
    #expect(outcome.violations.isEmpty)
    #expect(states(of: 1, in: outcome).isEmpty)
  }

  @Test func `another's keychain cannot be claimed`() {
    let device = DeviceID(keychain: 0)
    let outcome = play([(5_000, .person(host: 1, .claim(device)))], seed: 1)
    let answers = outcome.journal.compactMap { seen in
      if case .answered(1, _, _, let isRefused, _) = seen.what { isRefused } else { nil }
    }
    #expect(answers == [true])
  }

  @Test func `a press of a keychain that nobody has claimed is kept by the first account`() {
    let outcome = play([(5_000, Self.press(1))], owners: [1, nil], seed: 1)
    #expect(outcome.violations.isEmpty)
    #expect(states(of: 0, in: outcome) == [.emergencySending, .emergencySendingFailed])
    #expect(states(of: 1, in: outcome).isEmpty)
  }
}
