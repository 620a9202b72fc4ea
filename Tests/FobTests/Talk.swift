import Control
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// One client at a control socket, answers as dictionaries.
final class Talk {
  private let client: ControlClient

  init(_ path: String) throws { client = try ControlClient(path: path) }

  func ask(_ question: [String: Any], timeout: Interval = .seconds(20)) throws -> [String: Any] {
    try Self.read(client.request(Self.line(question), timeout: timeout))
  }

  /// Asks and insists on `"ok":true`.
  @discardableResult
  func must(_ question: [String: Any]) throws -> [String: Any] {
    let answer = try ask(question)
    try #require(answer["ok"] as? Bool == true, "\(question) was answered \(answer)")
    return answer
  }

  /// Asks without waiting; the answer is read with `answer`.
  func begin(_ question: [String: Any]) throws {
    try client.send(Self.line(question), before: BootClock.now() + .seconds(10))
  }

  /// Nil when the other end has died.
  func answer() -> [String: Any]? {
    guard let line = try? client.nextLine(before: BootClock.now() + .seconds(20)) else {
      return nil
    }
    return try? Self.read(line)
  }

  private static func line(_ question: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: question), as: UTF8.self)
  }

  private static func read(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

/// A keychain and a bridge as two processes on one pty.
final class TwoProcesses: BridgeRig {
  let scratch: ScratchDirectory
  private(set) var keychain: RunningFob!
  private(set) var bridge: RunningFob!
  private(set) var toKeychain: Talk!
  private(set) var toBridge: Talk!
  var bridgeTalk: Talk { toBridge }
  static let pin = "4711"
  private let bridgeOptions: [String]

  init(bridgeOptions: [String] = []) throws {
    scratch = try ScratchDirectory()
    self.bridgeOptions = bridgeOptions
    try startKeychain()
    try startBridge()
    try toKeychain.must(["do": "wait", "for": "linked"])
  }

  var storePath: String { scratch.path("keychain.store") }
  var alertsPath: String { scratch.path("alerts.jsonl") }

  func startKeychain() throws {
    keychain = try RunningFob(
      [
        "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", storePath,
      ], in: scratch)
    toKeychain = try Talk(scratch.path("keychain.sock"))
  }

  func startBridge() throws {
    bridge = try RunningFob(
      [
        "bridge", "--device", "pty:" + scratch.path("keychain"), "--state", scratch.path("state"),
        "--control", scratch.path("bridge.sock"),
      ] + (bridgeOptions.contains("--log") ? [] : ["--log", alertsPath]) + bridgeOptions,
      in: scratch, pin: Self.pin)
    toBridge = try Talk(scratch.path("bridge.sock"))
  }

  func press() throws -> String {
    try #require(try toKeychain.must(["do": "press"])["event"] as? String)
  }

  func awaitAck(_ event: String) throws {
    try toKeychain.must(["do": "wait", "for": "acked", "event": event])
  }

  /// The messages that were handed out, oldest first.
  func messages() throws -> [[String: Any]] {
    let text = try String(contentsOfFile: alertsPath, encoding: .utf8)
    // A reader may see the front of a line that is just being written.
    let whole = text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    return try whole.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}

extension TwoProcesses {
  /// Pairs the keychain with the core, as a person does: power off, the button held, power on.
  func pair() throws {
    try toKeychain.must(["do": "powercut", "ms": 3_000])
    try toKeychain.must(["do": "stick"])
    let deadline = BootClock.now() + .seconds(30)
    while true {
      let state = try toKeychain.must(["do": "state"])
      if state["boot"] as? Int == 2, state["linked"] as? Bool == true { break }
      try #require(BootClock.now() < deadline, "the keychain does not come back")
      usleep(5_000)
    }
    // The keychain may know of the link before the bridge does.
    let pair: [String: Any] = ["do": "pair", "pin": Self.pin]
    var answer = try toBridge.ask(pair)
    while (answer["error"] as? String)?.contains("on no line") == true, BootClock.now() < deadline {
      usleep(5_000)
      answer = try toBridge.ask(pair)
    }
    try #require(answer["ok"] as? Bool == true, "pair was answered \(answer)")
    try toKeychain.must(["do": "unstick"])
  }

  /// The file of the core's keys.
  var keysPath: String { scratch.path("state/keys") }

  func awaitShown(_ state: String) throws {
    let deadline = BootClock.now() + .seconds(20)
    while try toKeychain.must(["do": "state"])["shown"] as? String != state {
      try #require(BootClock.now() < deadline, "the light never says \(state)")
      usleep(5_000)
    }
  }
}
