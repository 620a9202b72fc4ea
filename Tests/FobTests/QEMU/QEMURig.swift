import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

/// A keychain in QEMU and a bridge, as two processes on one pty.
final class QEMURig: BridgeRig {
  static let pin = "4711"

  let scratch: ScratchDirectory
  let keychain: QEMUKeychain
  let bridge: RunningFob
  let bridgeTalk: Talk
  /// Everything that the keychain tells, the light included.
  private let events: Talk

  init(_ board: BoardFirmware.Board = .lm3s6965evb) throws {
    scratch = try ScratchDirectory()
    keychain = try QEMUKeychain(in: scratch, board)
    events = try Talk(scratch.path("keychain.sock"))
    try events.begin(["do": "subscribe", "leds": true])
    #expect(events.answer()?["ok"] as? Bool == true)
    bridge = try RunningFob(
      [
        "bridge", "--device", "pty:" + scratch.path("keychain"), "--state", scratch.path("state"),
        "--control", scratch.path("bridge.sock"), "--log",
        scratch.path("alerts.jsonl"),
      ], in: scratch, pin: Self.pin)
    bridgeTalk = try Talk(scratch.path("bridge.sock"))
    try keychain.talk.must(["do": "wait", "for": "linked"])
  }

  /// The events up to the next that fits, which is the last of them.
  @discardableResult
  func events(
    upTo words: String, _ fits: ([String: Any]) -> Bool
  ) throws -> [[String: Any]] {
    let deadline = BootClock.now() + .seconds(20)
    var passed: [[String: Any]] = []
    while passed.last.map(fits) != true {
      try #require(BootClock.now() < deadline, "\(words) did not come: \(bridge.output)")
      passed.append(try #require(events.answer(), "the keychain has gone: \(bridge.output)"))
    }
    return passed
  }

  @discardableResult
  func events(upToShown state: String) throws -> [[String: Any]] {
    try events(upTo: "shown \(state)") { $0["shown"] as? String == state }
  }

  func awaitNothingUnacked() throws {
    let deadline = BootClock.now() + .seconds(20)
    while try keychain.talk.must(["do": "state"])["unacked"] as? Int != 0 {
      try #require(BootClock.now() < deadline, "events stay unacked: \(bridge.output)")
      usleep(5_000)
    }
  }
}
