import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Damage at rest, with real processes: the start ends in a core that takes a press, and is loud.
@Suite(.serialized) struct DamagedRecordsTests {
  private static let damages: [(name: String, do: @Sendable (String) throws -> Void)] = [
    (
      "cut to 0 bytes, as its log",
      { path in
        try #require(truncate(path, 0) == 0)
        try #require(truncate(path + "-wal", 0) == 0)
      }
    ),
    (
      "garbage at its head",
      { path in
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(repeating: 0x5A, count: 8_192))
        unlink(path + "-wal")
      }
    ),
    (
      "gone with its log",
      { path in
        try #require(unlink(path) == 0)
        try #require(unlink(path + "-wal") == 0)
      }
    ),
    ("in a torn log", { path in try #require(truncate(path + "-wal", 9_000) == 0) }),
  ]

  @Test(arguments: damages.indices)
  func `a bridge killed in an alarm and damaged at rest says so, and takes a press`(
    index: Int
  ) throws {
    let (name, damage) = Self.damages[index]
    let two = try TwoProcesses()
    try awaitBackup(two)
    try two.awaitAck(try two.press())
    two.bridge.kill9()
    try damage(two.scratch.path("state") + "/fob.sqlite")
    try two.startBridge()
    #expect(two.bridge.output.contains("fob: the records were damaged: "), "\(name)")
    let status = try two.toBridge.must(["do": "status"])["status"] as? [String: Any] ?? [:]
    let service = (status["lines"] as? [[String: Any]])?.first {
      $0["kind"] as? String == "service"
    }
    #expect(service?["level"] as? String == "error", "\(name)")
    #expect((status["warnings"] as? [String])?.first?.contains("damaged-") == true, "\(name)")
    #expect(status["contacts"] as? Int == 2, "the account came from the backup: \(name)")
    #expect(status["state"] as? String == "NO_EMERGENCY", "\(name)")
    try two.awaitShown("failed")

    let second = try two.press()
    try two.awaitAck(second)
    try two.awaitShown("accepted")
    #expect(try two.presses().map(\.event).last == second)
    try two.clear()
    try two.awaitShown("idle")
    two.bridge.interrupt()
    #expect(two.bridge.awaitEnd() == 0, "\(name)")
    let check = try RunningFob(
      ["state", "check", "--state", two.scratch.path("state")], in: two.scratch,
      awaitsReady: false)
    #expect(check.awaitEnd() == 1, "the note is still there")
    #expect(check.output.contains("fob.sqlite is whole: "), "\(check.output)")
    #expect(check.output.contains(" is whole\n"), "so is the backup: \(check.output)")
  }

  @Test func `an alarm in a log whose database is gone goes on, and is told again`() throws {
    let two = try TwoProcesses()
    try two.awaitAck(try two.press())
    try two.awaitShown("accepted")
    two.bridge.kill9()
    try #require(unlink(two.scratch.path("state") + "/fob.sqlite") == 0)
    try two.startBridge()
    #expect(two.bridge.output.contains("an open alarm is told once more"), "\(two.bridge.output)")
    try two.awaitShown("accepted")
    #expect(try two.presses().count == 1)
    try two.clear()
    try two.awaitShown("idle")
  }

  /// The first start makes one, beside what it serves.
  private func awaitBackup(_ two: TwoProcesses) throws {
    let deadline = BootClock.now() + .seconds(20)
    while access(two.scratch.path("state") + "/fob.sqlite.backup", F_OK) != 0 {
      try #require(BootClock.now() < deadline, "no backup: \(two.bridge.output)")
      usleep(5_000)
    }
  }
}
