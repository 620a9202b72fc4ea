import Firmware
import FobBase
import Testing
import WireProtocol

@testable import Conformance

struct SuiteTests {
  @Test(arguments: [1, 2, 2_026] as [UInt64])
  func `the production firmware passes every case`(_ seed: UInt64) {
    let outcomes = ConformanceRun(on: MemoryRig(), seed: seed).run(Suite.cases)
    for outcome in outcomes {
      #expect(
        outcome.isPassed,
        "\(outcome.tested.id): \(outcome.reason ?? "")\n\(outcome.steps.joined(separator: "\n"))")
    }
  }

  @Test func `a device without battery and receiver passes, by what it says of itself`() {
    let rig = MemoryRig(tampering: { Lacks(battery: true, gps: true) })
    let outcomes = ConformanceRun(on: rig, seed: 1).run(Suite.cases)
    for outcome in outcomes {
      #expect(!outcome.isFailed, "\(outcome.tested.id): \(outcome.reason ?? "")")
      let isOfPart = [.battery, .gps].contains(outcome.tested.chapter)
      let isJudged = !isOfPart || outcome.tested.slug == "present-or-not"
      #expect(outcome.isPassed == isJudged, "\(outcome.tested.id)")
    }
  }

  /// In milliseconds: until the contact moves, and from then until the actuator says so.
  @Test(arguments: [(0, 130), (0, 700), (600, 0), (350, 450)] as [(Int64, Int64)])
  func `the production firmware passes though what moves it is slow`(before: Int64, after: Int64) {
    let rig = SlowHandRig(before: .milliseconds(before), after: .milliseconds(after))
    let outcomes = ConformanceRun(on: rig, seed: 1).run(Suite.cases)
    for outcome in outcomes where outcome.isFailed {
      Issue.record(
        "\(outcome.tested.id): \(outcome.reason ?? "")\n\(outcome.steps.joined(separator: "\n"))")
    }
    #expect(outcomes.count { $0.isPassed } > 90)
  }

  @Test func `a seed gives the same run, case by case and in any order`() {
    let cases = Suite.cases.filter { !$0.isLong }
    let all = ConformanceRun(on: MemoryRig(), seed: 5).run(cases)
    let rig = MemoryRig()
    for outcome in all.reversed() {
      let alone = ConformanceRun(on: rig, seed: 5).run([outcome.tested])[0]
      #expect(alone.packets == outcome.packets && alone.steps == outcome.steps)
    }
    let other = ConformanceRun(on: MemoryRig(), seed: 6).run(cases)
    #expect(zip(all, other).contains { $0.packets != $1.packets })
  }

  @Test func `each id is there once, and each case names its section`() {
    #expect(Set(Suite.cases.map(\.id)).count == Suite.cases.count)
    for tested in Suite.cases {
      #expect(tested.section.allSatisfy { $0.isNumber || $0 == "." }, "\(tested.id)")
      #expect(tested.name.split(separator: " ").count > 3 && tested.name.last != ".")
      #expect(tested.slug.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
    }
    for chapter in Chapter.allCases { #expect(!Suite.cases(of: chapter).isEmpty) }
  }

  @Test func `a device that says nothing ends the run at its first case`() {
    let outcomes = ConformanceRun(on: MemoryRig(tampering: { Dumb() }), seed: 1).run(Suite.cases)
    #expect(outcomes[0].isFailed && outcomes[0].isSilent)
    #expect(outcomes[0].reason?.contains("says nothing") == true)
    #expect(outcomes[0].took <= .seconds(3))
    for outcome in outcomes.dropFirst() {
      #expect(outcome.word == "not run" && outcome.took == .zero)
    }
  }

  @Test func `a run that is stopped says which cases it did not reach`() {
    var left = 3
    let outcomes = ConformanceRun(on: MemoryRig(), seed: 1).run(
      Suite.cases,
      isStopped: {
        left -= 1
        return left < 0
      })
    #expect(outcomes.prefix(3).allSatisfy { $0.isPassed })
    #expect(outcomes.dropFirst(3).allSatisfy { $0.word == "not run" })
  }

  @Test func `a keychain in use that keeps a press is noticed, and one of the bench is not`() throws
  {
    let real = MemoryRig(tampering: { FoundPressed(DeviceID(rawValue: 5)) })
    #expect(try ConformanceRun(on: real, seed: 1).greeting().pressAtRisk != nil)
    let bench = MemoryRig(tampering: { FoundPressed(.bench(5)) })
    #expect(try ConformanceRun(on: bench, seed: 1).greeting().pressAtRisk == nil)
    #expect(try ConformanceRun(on: MemoryRig(), seed: 1).greeting().pressAtRisk == nil)
  }

  @Test func `a keychain that has a key is known before a case runs`() throws {
    let paired = MemoryRig(tampering: { FromFactory() })
    #expect(try ConformanceRun(on: paired, seed: 1).greeting().isPaired)
    #expect(try !ConformanceRun(on: MemoryRig(), seed: 1).greeting().isPaired)
  }
}

/// It has a key from the factory.
private final class FromFactory: Tampering {
  func boots(_ board: inout VirtualBoard) {
    board.store.withUnsafeMutableBytes { store in
      _ = Keychain.provision(store, with: PairingKey(low: 1, high: 2))
    }
  }
}

/// Its button is held when it is found.
private final class FoundPressed: Tampering {
  private let device: DeviceID

  init(_ device: DeviceID) { self.device = device }

  func boots(_ board: inout VirtualBoard) {
    board.deviceID = device
    board.resetCause = .resetPin
    board.isClosed = true
  }
}
