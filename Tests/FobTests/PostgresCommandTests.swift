import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// `fob` with its state on a PostgreSQL server.
struct PostgresCommandTests {
  private let scratch: ScratchDirectory
  private let cluster: PostgresCluster

  init() throws {
    scratch = try ScratchDirectory()
    cluster = try PostgresCluster()
  }

  @Test(arguments: ["postgresql", "standby"])
  func `a how-to guide does what it says, real processes`(guide: String) throws {
    let (status, said) = try Shell.run(
      "cd '\(Repository.root.path)' && PGHOST='\(cluster.folder)' PGUSER=fob"
        + " scripts/documents.py --with postgresql '\(RunningFob.binary)'"
        + " docs/how-to/\(guide).md 2>&1")
    #expect(status == 0, "\(String(decoding: said, as: UTF8.self))")
  }

  @Test func `an alarm that was open when a core was killed goes on, real process`() throws {
    let url = try cluster.database()
    let arguments = [
      "core", "--bench", "--state", scratch.path("state"), "--store", url, "--control",
      scratch.path("core.sock"), "--listen", "127.0.0.1:0",
    ]
    let first = try RunningFob(arguments, in: scratch, pin: "2468")
    #expect(try trigger(by: first) == 0)
    first.kill9()
    let second = try RunningFob(arguments, in: scratch, pin: "2468")
    #expect(second.output.contains("an alarm of an earlier run is still open"), "\(second.output)")
  }

  /// Its last commit has the store's lock at the server, until the standby comes.
  @Test func `a core that was killed while it waited for a standby starts again, real process`()
    throws
  {
    let url = try cluster.database()
    let arguments = [
      "core", "--bench", "--state", scratch.path("state"), "--store", url, "--control",
      scratch.path("core.sock"), "--listen", "127.0.0.1:0",
    ]
    let first = try RunningFob(arguments, in: scratch, pin: "2468")
    _ = try PostgresCluster.ask(
      "ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'", "SELECT pg_reload_conf()",
      of: url)
    // The checkpointer tells the other processes before it begins.
    _ = try PostgresCluster.ask("CHECKPOINT", of: url)
    let account = try page(of: first) + "/v1/account"
    _ = try Shell.run(
      """
      curl -s -m 1 -H "Authorization: Bearer $(cat '\(scratch.path("state"))/admin-token')" \
        -H 'Content-Type: application/json' -X PATCH \
        -d '{"mobile":"+15555550100","country":"GB","pin":"2468"}' '\(account)'
      """)
    let waiting = """
      SELECT pid FROM pg_stat_activity
      WHERE wait_event = 'SyncRep' AND application_name NOT LIKE '% beat'
      """
    let left = try wait(for: "a commit that waits") {
      let pid = try PostgresCluster.ask(waiting, of: url).split(separator: "\n").first
      return pid.map(String.init)
    }
    first.kill9()
    let second = try RunningFob(arguments, in: scratch, awaitsReady: false, pin: "2468")
    try wait(for: "the end of what was left") {
      try PostgresCluster.ask("SELECT 1 FROM pg_stat_activity WHERE pid = \(left)", of: url).isEmpty
        ? true : nil
    }
    try cluster.startStandby()
    try wait(for: "a core that serves") { second.output.contains("the API is at") ? true : nil }
  }

  @Test func `a server that is away is told before anybody presses, and so is its return`() throws {
    let core = try RunningFob(
      [
        "core", "--bench", "--state", scratch.path("state"), "--store", try cluster.database(),
        "--control", scratch.path("core.sock"), "--listen", "127.0.0.1:0",
      ], in: scratch, pin: "2468")
    let page = try page(of: core)
    func ready() throws -> String {
      String(decoding: try Shell.run("curl -s '\(page)/readyz'").output, as: UTF8.self)
    }
    try wait(for: "a core that is ready") { try ready() == #"{"ok":true}"# ? true : nil }
    try cluster.stop()
    let said = try wait(for: "a core that is not") {
      let answer = try ready()
      return answer.contains("storageFailure") ? answer : nil
    }
    #expect(said.contains("the server of the store"), "\(said)")
    try wait(for: "its words") { core.output.contains("the server fails: ") ? true : nil }
    try cluster.start()
    try wait(for: "a core that is ready again") { try ready() == #"{"ok":true}"# ? true : nil }
    try wait(for: "its words") { core.output.contains("the server works again") ? true : nil }
  }

  @Test func `rows are in one place: a start at the other is refused`() throws {
    let url = try cluster.database()
    for (folder, first, then, words) in [
      ("here", [], ["--store", url], "it has rows of its own in"),
      ("there", ["--store", url], [], "the rows of this folder are at postgres://"),
    ] {
      let core = ["core", "--state", scratch.path(folder), "--control", scratch.path("core.sock")]
      try RunningFob(core + first, in: scratch).kill9()
      let refused = try RunningFob(core + then, in: scratch, awaitsReady: false)
      #expect(refused.awaitEnd() == 66, "\(refused.output)")
      #expect(refused.output.contains(words), "\(refused.output)")
    }
  }

  @Test func `a server that is not there is an error at the start, with a hint`() throws {
    let core = try RunningFob(
      ["core", "--state", scratch.path("state"), "--store", "postgres://fob@/x?host=/nonexistent"],
      in: scratch, awaitsReady: false)
    #expect(core.awaitEnd() == 69, "\(core.output)")
    #expect(core.output.contains("whether the server is up"), "\(core.output)")
  }

  private func page(of core: RunningFob) throws -> String {
    String(try #require(core.output.firstMatch(of: #/http://127\.0\.0\.1:[0-9]+/#)?.output))
  }

  /// Asks until there is an answer, for 30 s at most.
  @discardableResult
  private func wait<T>(for what: String, _ ask: () throws -> T?) throws -> T {
    let deadline = BootClock.now() + .seconds(30)
    while BootClock.now() < deadline {
      if let answer = try ask() { return answer }
      usleep(50_000)
    }
    return try #require(nil as T?, "\(what) does not come")
  }

  /// Begins protection, and tells of a fall.
  private func trigger(by core: RunningFob) throws -> Int32 {
    let url = try page(of: core)
    return try Shell.run(
      """
      set -e
      ask() { curl -sf -H "Authorization: Bearer $(cat '\(scratch.path("state"))/admin-token')" \
        -H 'Content-Type: application/json' "$@"; }
      ask -X PATCH -d '{"mobile":"+15555550100","country":"GB","pin":"2468"}' '\(url)/v1/account'
      ask -X PUT '\(url)/v1/protection'
      ask -d '{"device":"8000000000000001","key":"fall-1","source":"fall"}' '\(url)/v1/triggers'
      """
    ).status
  }
}
