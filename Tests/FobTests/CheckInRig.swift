import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// A core as a process whose time is moved and which may be killed at any moment, and a series of
/// check-ins that asks once a day.
final class CheckInRig {
  static let pin = "4711"
  static let limit: Int64 = 5 * 60
  private static let day: Int64 = 86_400

  let clock: ServedClock
  private let scratch: ScratchDirectory
  private(set) var core: RunningFob!
  private var toCore: Talk!
  private var api: Asking!
  /// When it first asks, µs since 1970.
  private let first: Int64

  init() throws {
    scratch = try ScratchDirectory()
    clock = try ServedClock(path: scratch.path("clock.sock"))
    first = (WallClock.now() / 60_000_000 + 10) * 60_000_000
    try start()
    try api.must(
      "PATCH", "/v1/account", #"{"mobile":"+15555550100","country":"US","pin":"\#(Self.pin)"}"#)
    try api.must("PUT", "/v1/protection", #"{"pin":"\#(Self.pin)"}"#)
    let time = Date(timeIntervalSince1970: Double(first) / 1e6)
      .formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
    try api.must(
      "POST", "/v1/check-ins/series",
      """
      {"description":"Are you well?","rule":{"kind":"days","every":1},"limit":5,\
      "pin":"\(Self.pin)","start":"\(time.prefix(10))","time":"\(time.dropFirst(11).prefix(5))"}
      """)
  }

  deinit { clock.stop() }

  func start() throws {
    core = try RunningFob(
      [
        "core", "--bench", "--listen", "127.0.0.1:0", "--state", scratch.path("state"),
        "--control", scratch.path("core.sock"), "--log", scratch.path("alerts.jsonl"),
        "--test-clock", clock.path,
      ], in: scratch, pin: Self.pin)
    toCore = try Talk(scratch.path("core.sock"))
    api = try Asking(core, state: scratch.path("state"))
  }

  /// Moves the time to some seconds after the check-in of this day falls due, and kills the core
  /// that long after, if it says so.
  func move(toDay day: Int, after seconds: Int64, kill: UInt32?) throws {
    let wanted = first + (Int64(day) * Self.day + seconds) * 1_000_000
    clock.move(by: .microseconds(wanted - WallClock.now() - clock.offset))
    try kill.map(restart)
    try settle()
  }

  /// The time goes on while there is no core.
  func moveWhileDown(toDay day: Int, after seconds: Int64) throws {
    core.kill9()
    let wanted = first + (Int64(day) * Self.day + seconds) * 1_000_000
    clock.move(by: .microseconds(wanted - WallClock.now() - clock.offset))
    try start()
    try settle()
  }

  func restart(after delay: UInt32) throws {
    usleep(delay)
    core.kill9()
    try start()
  }

  private func settle() throws {
    try #require(try clock.isSettled(), "the core has died: \(core.output)")
  }

  /// Answers what is asked. A core that is killed meanwhile is asked again.
  func answer(kill: UInt32?) throws {
    try toCore.begin(["do": "complete"])
    if let kill {
      try restart(after: kill)
      if try overdue > 0 { try toCore.must(["do": "complete"]) }
    } else {
      #expect(toCore.answer()?["ok"] as? Bool == true)
    }
  }

  /// Ends the alarm.
  func disarm() throws {
    try toCore.must(["do": "disarm", "pin": Self.pin])
    try toCore.must(["do": "resume"])
  }

  var overdue: Int {
    get throws {
      let status = try toCore.must(["do": "status"])["status"] as? [String: Any]
      let checkIns = try #require(status?["checkIns"] as? [String: Any])
      return try #require(checkIns["overdue"] as? Int)
    }
  }

  var incidents: Int {
    get throws { try #require(try toCore.must(["do": "incidents"])["rows"] as? [Any]).count }
  }

  /// What became of each that was asked, latest first, as "20261125T0900 completed".
  func history() throws -> [String] {
    try rows("/v1/check-ins/history?limit=200", "entries").map { "\($0["key"]!) \($0["state"]!)" }
  }

  /// The log entries of this name, by the check-in that each is about.
  func log(_ name: String) throws -> [String] {
    try rows("/v1/log?name=\(name)&limit=200", "lines").compactMap {
      ($0["facts"] as? [String: Any])?["key"] as? String
    }
  }

  private func rows(_ path: String, _ name: String) throws -> [[String: Any]] {
    let answer = try JSONSerialization.jsonObject(with: Data(try api.ask(path).utf8))
    return try #require((answer as? [String: Any])?[name] as? [[String: Any]])
  }
}
