import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Two cores on one database, a bridge that knows both, and a keychain, as processes: whichever
/// core dies, stands still or is cut off from the server, the other decides, and no press is lost
/// or doubled. Where FOB_CLUSTER names a folder of examples/cluster, the database is there, nobody
/// is cut off, and its primary is killed, too.
@Suite(.serialized) struct PostgresCoresTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds =
    environment["FOB_ROUNDS"].flatMap(Int.init) ?? (Soak.isOn ? 210 : 7)

  /// What happens to a core, or to the server that takes writes.
  private enum Fault: CaseIterable {
    case killLeader, stopLeader, killStandby, endLeader, cutOffLeader, killPrimary
  }

  private static func fault(of round: Int, _ random: inout SeededGenerator) throws -> Fault {
    let isCluster = environment["FOB_CLUSTER"] != nil
    if isCluster, round % 3 == 0 { return .killPrimary }
    let ofCores = Fault.allCases.dropLast(isCluster ? 2 : 1)
    // Each kind once in the first rounds.
    return round < ofCores.count
      ? ofCores[round] : try #require(ofCores.randomElement(using: &random))
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
      try harm(fault, rig, leader)
      pressed.append(try rig.press())
      if fault == .killPrimary { try rig.awaitAck(pressed[pressed.count - 1]) }
      let next = try rig.awaitLeader(but: fault == .cutOffLeader ? leader : nil)
      away[fault, default: []].append(BootClock.now() - began)
      if fault != .killPrimary {
        #expect((next == leader) == (fault == .killStandby), "seed \(seed), \(fault)")
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
      print("\(fault): no core for \(sorted[sorted.count / 2]) ms, at most \(sorted.last!) ms")
    }
    print("\(Self.rounds) rounds, \(pressed.count) presses, each once, seed \(seed)")
  }

  private func harm(_ fault: Fault, _ rig: CoresRig, _ leader: Int) throws {
    switch fault {
    case .killLeader: rig.cores[leader]?.kill9()
    case .stopLeader: kill(try #require(rig.cores[leader]).pid, SIGSTOP)
    case .killStandby: rig.cores[1 - leader]?.kill9()
    case .endLeader:
      rig.cores[leader]?.interrupt()
      #expect(rig.cores[leader]?.awaitEnd() == 0)
    case .cutOffLeader: rig.ways[leader].cut()
    case .killPrimary: try rig.killPrimary()
    }
  }

  /// The core that was harmed stands by afterwards. One that stood still, or was alone, sees that
  /// it no longer decides, and ends.
  private func wake(_ fault: Fault, _ rig: CoresRig, _ leader: Int) throws {
    guard fault != .killPrimary else { return try rig.startMembers() }
    let harmed = fault == .killStandby ? 1 - leader : leader
    if [.stopLeader, .cutOffLeader].contains(fault), let core = rig.cores[leader] {
      if fault == .cutOffLeader { rig.ways[leader].mend() } else { kill(core.pid, SIGCONT) }
      #expect(core.awaitEnd() == 69, "\(core.output)")
      #expect(core.output.contains("another core has taken the store over"), "\(core.output)")
    }
    try rig.start(harmed)
    try rig.awaitStandby(harmed)
  }
}

private final class CoresRig {
  private let scratch: ScratchDirectory
  /// Nil: examples/cluster has the database.
  private let cluster: PostgresCluster?
  private let members = ProcessInfo.processInfo.environment["FOB_CLUSTER"]
  private let url: String
  /// From each core to the server; none to examples/cluster.
  let ways: [CuttableWay]
  private let ports: [UInt16]
  private(set) var cores: [RunningFob?] = [nil, nil]
  private let keychain: RunningFob
  private let toKeychain: Talk
  private var bridge: RunningFob?
  private static let pin = "4711"

  init() throws {
    scratch = try ScratchDirectory()
    cluster = try members == nil ? PostgresCluster() : nil
    url = try cluster?.database() ?? Self.cluster("url", try #require(members))
    ways =
      try cluster.map { [scratch] cluster in
        try (0...1).map { core in
          let folder = scratch.path("way-\(core)")
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
          return try CuttableWay(to: cluster.folder, by: folder)
        }
      } ?? []
    ports = [try RemoteRig.freePort(), try RemoteRig.freePort()]
    keychain = try RunningFob(
      [
        "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", scratch.path("keychain.store"),
      ], in: scratch)
    toKeychain = try Talk(scratch.path("keychain.sock"))
    try start(0)
    _ = try awaitLeader()
    try FileManager.default.createDirectory(
      atPath: folder(1), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let token = try RunningFob(
      ["token", "create", "--scope", "feed", "--name", "bridge", "--state", folder(0)],
      in: scratch, awaitsReady: false)
    try #require(token.awaitEnd() == 0, "\(token.output)")
    let text = try #require(token.output.split(whereSeparator: \.isWhitespace).last)
    try RemoteRig.write(String(text), to: scratch.path("token"))
    for file in ["tokens.json", "ack-key"] {
      try FileManager.default.copyItem(
        atPath: "\(folder(0))/\(file)", toPath: "\(folder(1))/\(file)")
    }
    try start(1)
    try awaitStandby(1)
    bridge = try RunningFob(
      [
        "bridge", "--device", "pty:" + scratch.path("keychain"), "--token-file",
        scratch.path("token"),
      ] + ports.flatMap { ["--core", "http://127.0.0.1:\($0)"] }, in: scratch)
  }

  /// What examples/cluster says to a request.
  @discardableResult
  private static func cluster(_ request: String...) throws -> String {
    let words = request.joined(separator: " ")
    let (status, said) = try Shell.run(
      "'\(Repository.root.path)/examples/cluster/cluster' \(words) 2>&1")
    let text = String(decoding: said, as: UTF8.self)
    try #require(status == 0, "cluster \(words): \(text)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// As a power cut of its machine.
  func killPrimary() throws { try Self.cluster("kill", try #require(members), "primary") }

  /// Starts the members that are down, and waits until the loss of any one is borne.
  func startMembers() throws { try Self.cluster("up", try #require(members)) }

  /// By its way, where it has one.
  private func url(of core: Int) -> String {
    guard let cluster else { return url }
    return url.replacing("host=\(cluster.folder)", with: "host=\(scratch.path("way-\(core)"))")
  }

  private func folder(_ core: Int) -> String { scratch.path("state-\(core)") }

  func start(_ core: Int) throws {
    cores[core] = try RunningFob(
      [
        "core", "--bench", "--state", folder(core), "--store", url(of: core), "--control",
        scratch.path("core-\(core).sock"), "--log", scratch.path("alerts-\(core).jsonl"),
        "--listen", "127.0.0.1:\(ports[core])",
      ], in: scratch, awaitsReady: false, pin: Self.pin)
  }

  /// What it says to a load balancer.
  private func readiness(_ core: Int) throws -> String {
    String(
      decoding: try Shell.run("curl -s -m 1 http://127.0.0.1:\(ports[core])/readyz").output,
      as: UTF8.self)
  }

  /// - Parameter but: a core that may not know yet that it no longer does.
  func awaitLeader(but other: Int? = nil) throws -> Int {
    try wait(for: "a core that leads") {
      try [0, 1].first { try $0 != other && readiness($0) == #"{"ok":true}"# }
    }
  }

  func awaitStandby(_ core: Int) throws {
    try wait(for: "a core that stands by") {
      let said = try readiness(core)
      return said.contains("this core stands by: http://127.0.0.1:\(ports[1 - core]) leads")
        ? true : nil
    }
  }

  @discardableResult
  private func wait<T>(for what: String, _ ask: () throws -> T?) throws -> T {
    let deadline = BootClock.now() + .seconds(60)
    while BootClock.now() < deadline {
      if let answer = try ask() { return answer }
      usleep(20_000)
    }
    let said = (cores + [bridge]).compactMap { $0?.output }.joined(separator: "\n---\n")
    return try #require(nil as T?, "\(what) does not come: \(said)")
  }

  func press() throws -> String {
    try #require(try toKeychain.must(["do": "press"])["event"] as? String)
  }

  func awaitAck(_ event: String) throws {
    try wait(for: "the ack of \(event)") {
      let answer = try toKeychain.ask(["do": "wait", "for": "acked", "event": event])
      return answer["ok"] as? Bool == true ? true : nil
    }
  }

  func disarm() throws {
    let leader = try awaitLeader()
    try Talk(scratch.path("core-\(leader).sock")).must(["do": "disarm", "pin": Self.pin])
  }

  private func toLeader() throws -> Talk {
    try Talk(scratch.path("core-\(try awaitLeader()).sock"))
  }

  func presses() throws -> [String] {
    let rows = try #require(
      try toLeader().must(["do": "presses"])["rows"] as? [[String: Any]])
    return try rows.map { try #require($0["event"] as? String) }.sorted()
  }

  func incidents() throws -> Set<String> {
    let text = try PostgresCluster.ask("SELECT id FROM incident", of: url)
    return Set(text.split(separator: "\n").map(String.init))
  }

  /// Those of which either core has told somebody, first of all.
  func incidentsRaised() throws -> Set<String> {
    var raised: Set<String> = []
    for core in 0...1 {
      let text = try String(contentsOfFile: scratch.path("alerts-\(core).jsonl"), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard row?["kind"] as? String == "raise" else { continue }
        raised.insert(try #require(row?["incident"] as? String))
      }
    }
    return raised
  }
}
