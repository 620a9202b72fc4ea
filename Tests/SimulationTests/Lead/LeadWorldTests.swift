import AlertCore
import Judge
import TestSupport
import Testing

@testable import Simulation

/// Two cores on one store, whichever of them, the server or the way between them fails.
struct LeadWorldTests {
  @Test func `no acked press is lost or doubled, and one core decides`() {
    let seeds: ClosedRange<UInt64> = Soak.isOn ? 1...20_000 : 1...200
    var (presses, leads, messages) = (0, 0, 0)
    for seed in seeds {
      let world = LeadWorld(LeadSchedule(seed: seed))
      let violations = world.run()
      presses += world.witness.pressCount
      leads += world.witness.leads
      messages += world.witness.messages
      guard violations.isEmpty else {
        Issue.record("seed \(seed): \(violations)\n\(LeadSchedule(seed: seed).words)")
        return
      }
    }
    print(
      "\(seeds.count) worlds of two cores: \(presses) presses, \(messages) messages, a core began"
        + " to lead \(leads) times")
  }

  @Test func `a seed is a world`() {
    func end() -> [String] {
      let world = LeadWorld(LeadSchedule(seed: 5))
      _ = world.run()
      return world.server.rows.log.map { "\($0)" }
    }
    #expect(end() == end())
  }

  @Test(arguments: LeadMistake.allCases)
  func `each mistake of a core beside another is found`(_ mistake: LeadMistake) {
    expectFound(mistake.rawValue, in: 1..<401) { seed in
      LeadWorld(LeadSchedule(seed: seed), mistake: LeadSaboteur(mistake)).run()
    }
  }
}

/// What a core or its store might do wrong.
enum LeadMistake: String, CaseIterable {
  case commitsWithoutEpoch = "commits without looking at the epoch"
  case tellsUnproved = "tells an update while unproved"
  case acksInMemory = "acks at the leader's memory"
  case trustsCancelledWait = "takes a cancelled wait for durable"
  case retriesUnasked = "retries a batch without asking"
}

/// Makes one planted mistake wherever there is room for it.
final class LeadSaboteur: LeadMutationHook {
  private let mistake: LeadMistake

  init(_ mistake: LeadMistake) { self.mistake = mistake }

  func fences(_ passes: inout Bool) { if mistake == .commitsWithoutEpoch { passes = true } }

  func isDurableAtOnce() -> Bool { mistake == .acksInMemory }

  func heard(_ end: inout LeadServer.End) {
    if mistake == .trustsCancelledWait, end == .cancelled { end = .committed(epoch: 0, batch: 0) }
  }

  func settled(_ written: inout WrittenBatch?) { if mistake == .retriesUnasked { written = nil } }

  func carries(_ isProved: inout Bool) { if mistake == .tellsUnproved { isProved = true } }
}
