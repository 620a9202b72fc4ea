import Foundation
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

  @Test func `the how-to guide does what it says, real processes`() throws {
    let (status, said) = try Shell.run(
      "cd '\(Repository.root.path)' && PGHOST='\(cluster.folder)' PGUSER=fob"
        + " scripts/documents.py --with postgresql '\(RunningFob.binary)'"
        + " docs/how-to/postgresql.md 2>&1")
    #expect(status == 0, "\(String(decoding: said, as: UTF8.self))")
  }

  @Test func `an alarm that was open when a core was killed goes on, real process`() throws {
    let url = try cluster.database()
    let arguments = [
      "core", "--bench", "--state", scratch.path("state"), "--store", url, "--control",
      scratch.path("core.sock"), "--listen", "127.0.0.1:0",
    ]
    let first = try RunningFob(arguments, in: scratch, pin: "2468")
    #expect(try trigger(as: first.output) == 0)
    first.kill9()
    let second = try RunningFob(arguments, in: scratch, pin: "2468")
    #expect(second.output.contains("an alarm of an earlier run is still open"), "\(second.output)")
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

  /// Begins protection, and tells of a fall.
  private func trigger(as output: String) throws -> Int32 {
    let url = try #require(output.firstMatch(of: #/http://127\.0\.0\.1:[0-9]+/#)?.output)
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
