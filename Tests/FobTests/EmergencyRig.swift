import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// A keychain and a core as processes whose time is moved, and an emergency step by step: each is
/// begun without waiting, so that the core may be killed in it, and ended once it holds.
final class EmergencyRig {
  enum Step: Equatable {
    case press
    /// In seconds; so many messages are told to each contact then.
    case move(Int64, tells: Int)
    case wrongPIN
    case disarm
    case resume
  }

  /// Before the first message.
  static let countdown: Int64 = 60
  static let pin = "4711"

  let scratch: ScratchDirectory
  let clock: ServedClock
  private(set) var core: RunningFob!
  private var toCore: Talk!
  private let keychain: RunningFob
  /// Where the core is fed by a bridge of its own: at which port.
  private let port: UInt16?
  private var bridge: RunningFob?
  private let toKeychain: Talk
  private var event: String?
  private var told = 0

  /// - Parameter isRemote: the core is a process of its own, and a bridge feeds it.
  init(isRemote: Bool = false) throws {
    scratch = try ScratchDirectory()
    clock = try ServedClock(path: scratch.path("clock.sock"))
    keychain = try RunningFob(
      [
        "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", scratch.path("keychain.store"),
      ], in: scratch)
    toKeychain = try Talk(scratch.path("keychain.sock"))
    port = isRemote ? try RemoteRig.freePort() : nil
    try startCore()
    if let port {
      try RemoteRig.makeToken(in: scratch)
      bridge = try RunningFob(
        [
          "bridge", "--device", "pty:" + scratch.path("keychain"), "--core",
          "http://127.0.0.1:\(port)", "--token-file", scratch.path("token"),
        ], in: scratch)
    }
    try toKeychain.must(["do": "wait", "for": "linked"])
  }

  deinit { clock.stop() }

  func startCore() throws {
    let command =
      port.map { ["core", "--bench", "--listen", "127.0.0.1:\($0)"] }
      ?? ["bridge", "--device", "pty:" + scratch.path("keychain")]
    core = try RunningFob(
      command + [
        "--state", scratch.path("state"), "--control", scratch.path("core.sock"),
        "--log",
        scratch.path("alerts.jsonl"), "--countdown", "\(Self.countdown)", "--test-clock",
        clock.path,
      ], in: scratch, pin: Self.pin)
    toCore = try Talk(scratch.path("core.sock"))
  }

  // MARK: Steps

  /// - Parameter kill: after how many µs from its beginning the core is killed.
  func perform(_ step: Step, kill: UInt32? = nil) throws {
    try begin(step)
    if let kill {
      usleep(kill)
      core.kill9()
      try startCore()
    }
    try end(step, wasKilled: kill != nil)
  }

  private func begin(_ step: Step) throws {
    switch step {
    case .press: try toKeychain.begin(["do": "press", "hold_ms": 40])
    case .move(let seconds, _): clock.move(by: .seconds(seconds))
    case .wrongPIN: try toCore.begin(["do": "disarm", "pin": "0000"])
    case .disarm: try toCore.begin(["do": "disarm", "pin": Self.pin])
    case .resume: try toCore.begin(["do": "resume"])
    }
  }

  private func end(_ step: Step, wasKilled: Bool) throws {
    switch step {
    case .press:
      let event = try #require(toKeychain.answer()?["event"] as? String)
      try toKeychain.must(["do": "wait", "for": "acked", "event": event])
      #expect(try state == "ALERT_COUNTDOWN")
    case .move(_, let tells):
      try awaitTold(tells)
      try awaitSent()
    case .wrongPIN:
      let answer = wasKilled ? try toCore.ask(["do": "disarm", "pin": "0000"]) : toCore.answer()
      #expect(answer?["ok"] as? Bool == false)
    case .disarm:
      if !wasKilled { try requireDone() }
      if try state != "EMERGENCY_ENDED" { try toCore.must(["do": "disarm", "pin": Self.pin]) }
      try awaitTold(1)
    case .resume:
      if !wasKilled { try requireDone() }
      if try state != "NO_EMERGENCY" { try toCore.must(["do": "resume"]) }
    }
    try #require(try clock.isSettled(), "the core has died: \(core.output)")
  }

  /// That the core has done what was asked last.
  private func requireDone() throws {
    let answer = toCore.answer()
    let told = try messages().map(\.told).sorted()
    try #require(answer?["ok"] as? Bool == true, "answered \(answer ?? [:]), told \(told)")
  }

  var state: String {
    get throws {
      let status = try toCore.must(["do": "status"])["status"] as? [String: Any]
      return try #require(status?["state"] as? String)
    }
  }

  // MARK: What was told

  struct Told: Hashable, Comparable, CustomStringConvertible {
    let sequence: Int
    let kind: String
    let contact: String
    let end: String?

    var description: String { "\(sequence) \(kind)\(end.map { " (\($0))" } ?? "") to \(contact)" }

    static func < (a: Told, b: Told) -> Bool {
      (a.sequence, a.contact, a.kind) < (b.sequence, b.contact, b.kind)
    }
  }

  /// Oldest first, with what was told twice; and the keys that a receiver tells repeats by.
  func messages() throws -> [(key: String, told: Told)] {
    let text = (try? String(contentsOfFile: scratch.path("alerts.jsonl"), encoding: .utf8)) ?? ""
    // A reader may see the front of a line that is just being written.
    let whole = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    return try whole.split(separator: "\n").map { line in
      let message = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return (
        try #require(message["key"] as? String),
        Told(
          sequence: try #require(message["sequence"] as? Int),
          kind: try #require(message["kind"] as? String),
          contact: try #require((message["contact"] as? [String: Any])?["id"] as? String),
          end: message["endReason"] as? String)
      )
    }
  }

  /// Waits until both contacts have been told so many more messages, in whatever run of the core.
  private func awaitTold(_ count: Int) throws {
    told += 2 * count
    let deadline = BootClock.now() + .seconds(20)
    while true {
      let messages = try messages()
      guard Set(messages.map(\.key)).count < told else { return }
      try #require(
        BootClock.now() < deadline,
        "\(told) messages were to be told, of \(messages.map(\.told)): \(core.output)")
      usleep(2_000)
    }
  }

  /// Waits until the core knows that what is told was accepted. Tracking begins then: if the clock
  /// moved before, it would end later, and a message more would be told.
  private func awaitSent() throws {
    let deadline = BootClock.now() + .seconds(20)
    while try state == "EMERGENCY_SENDING" {
      try #require(BootClock.now() < deadline, "what was told is not accepted: \(core.output)")
      usleep(2_000)
    }
  }

  /// Each incident, as the core's store has it.
  func incidents() throws -> [(state: String, end: String?)] {
    let rows = try #require(try toCore.must(["do": "incidents"])["rows"] as? [[String: Any]])
    return try rows.map {
      (try #require($0["state"] as? String), $0["endReason"] as? String)
    }
  }
}
