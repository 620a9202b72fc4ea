import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Two cores on one database, and a bridge that knows both, each by ways that can be cut.
final class CoresRig {
  private let scratch: ScratchDirectory
  /// Of scripts/parted-cluster; nil: the database is on one server.
  private let members = ProcessInfo.processInfo.environment["FOB_CLUSTER"]
  private let server: PostgresCluster?
  private let url: String
  /// From each core to each server.
  let ways: [[CuttableWay]]
  /// From the bridge to each core.
  let bridgeWays: [CuttableWay]
  private let ports: [UInt16]
  private(set) var cores: [RunningFob?] = [nil, nil]
  private let keychain: RunningFob
  private let toKeychain: Talk
  private var bridge: RunningFob?
  private static let pin = "4711"

  init() throws {
    scratch = try ScratchDirectory()
    let server = try members == nil ? PostgresCluster() : nil
    self.server = server
    url = try server?.database() ?? Self.cluster("url", try #require(members))
    let hosts = url.prefix { $0 != "?" }.split(separator: "@").last?.split(separator: "/").first
    let addresses = server == nil ? try #require(hosts).split(separator: ",") : []
    ways = try (0...1).map { _ in
      if let server {
        return [try CuttableWay(to: { try UnixSocket.connectAtOnce(path: server.socket) })]
      }
      return try addresses.map { address in
        let host = String(address.prefix { $0 != ":" })
        return try CuttableWay(to: { try LoopbackSocket.connect(to: host, port: 5_432) })
      }
    }
    let ports = [try RemoteRig.freePort(), try RemoteRig.freePort()]
    self.ports = ports
    bridgeWays = try ports.map { port in
      try CuttableWay(to: { try LoopbackSocket.connect(to: "127.0.0.1", port: port) })
    }
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
      ] + bridgeWays.flatMap { ["--core", "http://127.0.0.1:\($0.port)"] }, in: scratch)
  }

  /// What scripts/parted-cluster says to a request.
  @discardableResult
  private static func cluster(_ request: String...) throws -> String {
    let words = request.joined(separator: " ")
    let (status, said) = try Shell.run(
      "'\(Repository.root.path)/scripts/parted-cluster' \(words) 2>&1")
    let text = String(decoding: said, as: UTF8.self)
    try #require(status == 0, "cluster \(words): \(text)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// As a power cut of its machine.
  func killPrimary() throws { try Self.cluster("kill", try #require(members), "primary") }

  /// Cuts the ways between two members, or from one to all others.
  func part(_ members: String...) throws {
    try Self.cluster("part", try #require(self.members), members.joined(separator: " "))
  }

  /// Mends their ways, starts the members that are down, and waits until the loss of any one is
  /// borne.
  func mendMembers() throws {
    let members = try #require(self.members)
    try Self.cluster("mend", members)
    try Self.cluster("up", members)
  }

  /// By its ways.
  private func url(of core: Int) -> String {
    let hosts = ways[core].map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    let name = url.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    let passfile = members.map { "?passfile=\($0)/pgpass" } ?? ""
    return "postgres://fob@\(hosts)/\(name)\(passfile)"
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

  /// Starts each core that has seen another one lead while it was without the server.
  func restartEnded() throws {
    for core in 0...1 {
      guard let code = cores[core]?.awaitEnd(within: .zero) else { continue }
      #expect(code == 69, "\(cores[core]?.output ?? "")")
      try start(core)
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
    let deadline = BootClock.now() + .seconds(members == nil ? 60 : 120)
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
