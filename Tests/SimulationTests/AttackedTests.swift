import Firmware
import FobBase
import Judge
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Worlds with somebody on the wires, who has no key.
struct AttackedTests {
  private static let blocks: UInt64 = Soak.isOn ? 100 : 10
  private static let seedsInBlock: UInt64 = 6

  @Test func `whoever is on the wires breaks no rule`() async {
    let first = UInt64.random(in: 100_000_000...999_999_999)
    print("attacked seeds from \(first)")
    let tallies = await withTaskGroup(of: SearchSummary.self) { group in
      for block in 0..<Self.blocks {
        let lowest = first + block * Self.seedsInBlock
        group.addTask {
          SearchSummary(playing: lowest...(lowest + Self.seedsInBlock - 1), isAttacked: true)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for found in tallies.compactMap(\.found).sorted(by: { $0.seed < $1.seed }) {
      Issue.record("\(found.violation)\nrepeat: fob simulate --attacked --seed \(found.seed)")
    }
  }

  @Test func `the same seed is the same attacked world`() {
    for seed in 1...5 as ClosedRange<UInt64> {
      let schedule = Schedule(seed: seed, isAttacked: true)
      #expect(schedule.play().hash == schedule.play(keepingJournal: true).hash)
    }
  }

  @Test func `a paired world in which nothing happens is proved at both ends`() {
    var setting = Setting()
    setting.isAttacked = true
    let world = World(Schedule(quiet: setting))
    world.run()
    #expect(world.judge.violations.isEmpty)
    let isProved = world.hosts[0].run?.ends.sessions[0].link.isProved
    #expect(isProved == true)
    #expect(world.keychains[0].firmware.hostSession != 0)
  }

  @Test func `acts of an attack are drawn, told in words, and over before the calm`() {
    var kinds: Set<Fault> = []
    for seed in 1...200 as ClosedRange<UInt64> {
      let schedule = Schedule(seed: seed, isAttacked: true)
      for act in schedule.acts where act.action.fault.isAttack {
        kinds.insert(act.action.fault)
        #expect(act.at < schedule.setting.calmFrom)
        #expect(!act.action.words.contains("("))
      }
      #expect(schedule.acts.allSatisfy { $0.action.fault.isOfAttackedWorld })
    }
    #expect(kinds == Set(Fault.allCases.filter(\.isAttack)))
  }
}
