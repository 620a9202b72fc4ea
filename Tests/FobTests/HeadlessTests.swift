import FobBase
import TestSupport
import Testing

/// The HTTP API is one way in among others: an emergency goes the same way without it.
@Suite(.serialized) struct HeadlessTests {
  @Test func `R59: fob bridge without the API carries an emergency the same way, real processes`()
    throws
  {
    let served = try HeadlessRig(isServed: true).story(ofCore: false)
    let headless = try HeadlessRig(isServed: false).story(ofCore: false)
    #expect(headless == served)
    #expect(headless.states == ["NO_EMERGENCY → ALERT_COUNTDOWN"] + Self.rest)
    #expect(headless.told == Self.told)
  }

  /// Without the API no bridge can reach a core. One that had it when the emergency began, and is
  /// started again without it, carries the emergency to its end.
  @Test func `R59: fob core without the API carries an emergency the same way, real processes`()
    throws
  {
    let served = try HeadlessRig(isServed: true).story(ofCore: true)
    let headless = try HeadlessRig(isServed: false).story(ofCore: true)
    #expect(headless == served)
    #expect(headless.states == Self.rest)
    #expect(headless.told == Self.told)
  }

  private static let rest = [
    "ALERT_COUNTDOWN → EMERGENCY_SENDING", "EMERGENCY_SENDING → EMERGENCY_SENT",
    "EMERGENCY_SENT → EMERGENCY_ENDED", "EMERGENCY_ENDED → NO_EMERGENCY",
  ]
  private static let told = ["again 2", "closing 3", "raise 1"].flatMap { message in
    ["contact-1", "contact-2"].map { "\(message) to \($0)" }
  }
}

/// A keychain, its bridge and moved time; who hears the emergency hears it at the control socket.
private final class HeadlessRig {
  struct Story: Equatable {
    var states: [String] = []
    /// Sorted: contacts are told side by side.
    var told: [String] = []
    var userCommands: [String] = []
  }

  private let scratch: ScratchDirectory
  private let clock: ServedClock
  private let keychain: RunningFob
  private let isServed: Bool

  init(isServed: Bool) throws {
    self.isServed = isServed
    scratch = try ScratchDirectory()
    clock = try ServedClock(path: scratch.path("clock.sock"))
    keychain = try RunningFob(
      [
        "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", scratch.path("keychain.store"),
      ], in: scratch)
  }

  deinit { clock.stop() }

  /// A press, its countdown, two messages, user commands, the end.
  func story(ofCore isCore: Bool) throws -> Story {
    let toKeychain = try Talk(scratch.path("keychain.sock"))
    var process = try start(["bridge", "--device", "pty:" + scratch.path("keychain")], isServed)
    var heard = try subscription()
    try toKeychain.must(["do": "wait", "for": "linked"])
    let event = try #require(try toKeychain.must(["do": "press"])["event"] as? String)
    try toKeychain.must(["do": "wait", "for": "acked", "event": event])
    if isCore {
      process.kill9()
      process = try start(["core", "--bench"], isServed)
      heard = try subscription()
    }
    let asks = try Talk(scratch.path("control.sock"))
    var story = Story()
    clock.move(by: .seconds(61))
    try hear(heard, &story, until: "delivered", count: 2)
    clock.move(by: .seconds(300))
    try hear(heard, &story, until: "delivered", count: 2)
    try asks.must(["do": "acknowledge", "contact": "contact-1"])
    try asks.must(["do": "silence"])
    #expect(try asks.ask(["do": "disarm", "pin": "0000"])["ok"] as? Bool == false)
    try asks.must(["do": "disarm", "pin": "4711"])
    try hear(heard, &story, until: "delivered", count: 2)
    try asks.must(["do": "resume"])
    try hear(heard, &story, until: "resumed", count: 1)
    #expect(process.output.contains("the API is at") == isServed)
    process.interrupt()
    #expect(process.awaitEnd() == 0)
    story.told.sort()
    return story
  }

  private func start(_ command: [String], _ isServed: Bool) throws -> RunningFob {
    try RunningFob(
      command + [
        "--state", scratch.path("state"), "--control", scratch.path("control.sock"), "--countdown",
        "60", "--log", scratch.path("alerts.jsonl"), "--test-clock",
        clock.path,
      ] + (isServed ? ["--listen", "127.0.0.1:0"] : []), in: scratch, pin: "4711")
  }

  private func subscription() throws -> Talk {
    let talk = try Talk(scratch.path("control.sock"))
    try talk.must(["do": "subscribe"])
    return talk
  }

  /// Takes into the story what is told, up to and with so many audit events of that name.
  private func hear(_ talk: Talk, _ story: inout Story, until name: String, count: Int) throws {
    var left = count
    while left > 0 {
      let line = try #require(talk.answer(), "in vain for \(name), after \(story)")
      guard let auditEvent = line["happening"] as? [String: Any] else { continue }
      let what = try #require(auditEvent["name"] as? String)
      let detail = auditEvent["detail"] as? String ?? ""
      switch what {
      case "stateChanged": story.states.append(detail)
      case "delivered": story.told.append("\(detail) to \(auditEvent["contact"] as? String ?? "")")
      case "acknowledged", "silenced", "wrongPIN", "resumed": story.userCommands.append(what)
      default: break
      }
      if what == name { left -= 1 }
    }
  }
}
