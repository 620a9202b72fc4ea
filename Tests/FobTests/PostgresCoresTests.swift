import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Two cores on one database, a bridge that knows both, and a keychain, as processes: whichever
/// core dies, stands still or is cut off from the server or the bridge, no press is lost or
/// doubled. Where FOB_CLUSTER names a folder of scripts/parted-cluster, the database is there: its
/// primary is killed, and its members are cut off from each other, too.
@Suite(.serialized) struct PostgresCoresTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isCluster = environment["FOB_CLUSTER"] != nil
  private static let rounds =
    environment["FOB_ROUNDS"].flatMap(Int.init) ?? (Soak.isOn ? 210 : 8)

  /// What happens to a core, or to the servers.
  private enum Fault: CaseIterable {
    case killLeader, stopLeader, killStandby, endLeader, cutOffLeader, cutOffBridge
    case killPrimary, cutOffPrimary, partMembers

    var isOfServers: Bool { [.killPrimary, .cutOffPrimary, .partMembers].contains(self) }
  }

  private static func fault(of round: Int, _ random: inout SeededGenerator) throws -> Fault {
    if isCluster, round % 3 == 0 { return .killPrimary }
    let all = Fault.allCases.filter { isCluster || !$0.isOfServers }
    // Each kind once in the first rounds.
    return try round < all.count ? all[round] : #require(all.randomElement(using: &random))
  }

  @Test func `no press is lost or doubled, whichever core dies or stands still, real processes`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let rig = try CoresRig()
    var pressed: [String] = []
    var away: [Fault: [Interval]] = [:]
    for round in 0..<Self.rounds {
      let fault = try Self.fault(of: round, &random)
      let leader = try rig.awaitLeader()
      pressed.append(try rig.press())
      usleep(UInt32.random(in: 0...60_000, using: &random))
      let began = BootClock.now()
      try harm(fault, rig, leader, &random)
      pressed.append(try rig.press())
      if fault == .cutOffBridge {
        usleep(UInt32.random(in: 0...8_000_000, using: &random))
        rig.bridgeWays[leader].mend()
      }
      if fault.isOfServers || fault == .cutOffBridge { try rig.awaitAck(pressed.last!) }
      let next = try rig.awaitLeader(but: fault == .cutOffLeader ? leader : nil)
      away[fault, default: []].append(BootClock.now() - began)
      if !fault.isOfServers {
        let stays = [.killStandby, .cutOffBridge].contains(fault)
        #expect((next == leader) == stays, "seed \(seed), \(fault)")
      }
      for event in pressed.suffix(2) { try rig.awaitAck(event) }
      try wake(fault, rig, leader)
      try rig.disarm()
    }
    #expect(try rig.presses() == pressed.sorted(), "seed \(seed)")
    // A core that dies may have told of a press by a name that the next one does not give it.
    let (raised, incidents) = (try rig.incidentsRaised(), try rig.incidents())
    #expect(incidents.subtracting(raised).isEmpty, "seed \(seed): somebody was told of each")
    print("told of \(raised.count) incidents, of which \(incidents.count) are stored")
    for (fault, intervals) in away {
      let sorted = intervals.map { $0.microseconds / 1_000 }.sorted()
      let (median, longest) = (sorted[sorted.count / 2], sorted.last!)
      print("\(fault), \(sorted.count) times: no core for \(median) ms, at most \(longest) ms")
    }
    print("\(Self.rounds) rounds, \(pressed.count) presses, each once, seed \(seed)")
  }

  private func harm(
    _ fault: Fault, _ rig: CoresRig, _ leader: Int, _ random: inout SeededGenerator
  ) throws {
    switch fault {
    case .killLeader: rig.cores[leader]?.kill9()
    case .stopLeader: kill(try #require(rig.cores[leader]).pid, SIGSTOP)
    case .killStandby: rig.cores[1 - leader]?.kill9()
    case .endLeader:
      rig.cores[leader]?.interrupt()
      #expect(rig.cores[leader]?.awaitEnd() == 0)
    case .cutOffLeader: for way in rig.ways[leader] { way.cut() }
    case .cutOffBridge: rig.bridgeWays[leader].cut()
    case .killPrimary: try rig.killPrimary()
    case .cutOffPrimary: try rig.part("primary")
    case .partMembers:
      let members = (1...3).shuffled(using: &random)
      try rig.part("\(members[0])", "\(members[1])")
    }
  }

  /// The core that was harmed stands by afterwards. One that stood still, or was alone, sees that
  /// it no longer decides, and ends.
  private func wake(_ fault: Fault, _ rig: CoresRig, _ leader: Int) throws {
    if fault.isOfServers {
      try rig.mendMembers()
      return try rig.restartEnded()
    }
    if fault == .cutOffBridge { return }
    let harmed = fault == .killStandby ? 1 - leader : leader
    if [.stopLeader, .cutOffLeader].contains(fault), let core = rig.cores[leader] {
      if fault == .cutOffLeader {
        for way in rig.ways[leader] { way.mend() }
      } else {
        kill(core.pid, SIGCONT)
      }
      #expect(core.awaitEnd() == 69, "\(core.output)")
      #expect(core.output.contains("another core has taken the store over"), "\(core.output)")
    }
    try rig.start(harmed)
    try rig.awaitStandby(harmed)
  }
}
