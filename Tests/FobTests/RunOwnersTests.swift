import FobBase
import Foundation
import TestSupport
import Testing

@testable import fob

/// `fob run` whose keychain has an owner of its own: the alarm is not the first account's.
@Suite struct RunOwnersTests {
  private static func play(_ text: String, _ options: [String] = []) throws -> RunningFob {
    let scratch = try ScratchDirectory()
    let path = scratch.path("scenario.yaml")
    try Data(text.utf8).write(to: URL(filePath: path))
    return try RunningFob(
      ["run", "--scenario", path] + options, in: scratch, awaitsReady: false)
  }

  @Test func `the demo follows the alarm of the keychain's owner`() throws {
    let fob = try RunningFob(
      ["run", "--demo", "--owners", "each"], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd(within: .seconds(60)) == 0, "\(fob.output)")
    #expect(fob.output.contains("all clear"), "\(fob.output)")
    #expect(fob.output.contains("account 2: event 1.2 of 8000000000000001 is durable"))
  }

  @Test func `without an account a step is about the one that has the keychain`() throws {
    let fob = try Self.play(
      """
      bench: {owners: each, pin: "2468", gps: none}
      steps:
      - series: {description: Are you well?, due: in 2m, pin: "2468"}
      - press
      - expect: {alarm: EMERGENCY_SENT, presses: 1, incidents: 1}
      - expect: {alarm: NO_EMERGENCY, presses: 0, account: 1}
      - disarm: {pin: "2468"}
      - expect: {alarm: EMERGENCY_ENDED}
      """)
    #expect(fob.awaitEnd() == 0, "\(fob.output)")
    #expect(fob.output.contains("presses: 1, each exactly one entry"), "\(fob.output)")
  }

  @Test(arguments: [
    "disarm: {pin: \"2468\", account: 7}", "refused: {disarm: {pin: \"0000\", account: 7}}",
    "expect: {presses: 0, account: 7}", "wait: {happening: delivered, account: 7}",
    "never: {happening: delivered, account: 7, for: 1s}",
    "series: {description: Are you well?, due: in 2m, account: 7}",
  ])
  func `an account that does not exist fails its step`(step: String) throws {
    let fob = try Self.play("bench: {gps: none}\nsteps:\n- \(step)\n")
    #expect(fob.awaitEnd() == 1, "\(fob.output)")
    #expect(fob.output.contains("line 3"), "\(fob.output)")
    #expect(fob.output.contains("there is no account 7 now, only 1"), "\(fob.output)")
  }

  @Test func `what another account tells is not heard of the one that is named`() throws {
    let fob = try Self.play(
      """
      bench: {owners: each, gps: none}
      steps:
      - press
      - wait: {happening: delivered}
      - wait: {happening: delivered, account: 1, within: 50ms}
      """)
    #expect(fob.awaitEnd() == 1, "\(fob.output)")
    #expect(fob.output.contains("line 5") && fob.output.contains("seen 0 of 1"), "\(fob.output)")
  }

  @Test func `an owner of an earlier run has the PIN of this one`() throws {
    let state = try ScratchDirectory()
    for pin in ["2468", "1357"] {
      let fob = try Self.play(
        """
        bench: {owners: each, pin: "\(pin)", gps: none}
        steps:
        - expect: {linked: true, light: idle}
        - press
        - expect: {alarm: EMERGENCY_SENT}
        - disarm: {pin: "\(pin)"}
        - resume
        - expect: {alarm: NO_EMERGENCY, light: idle}
        """, ["--state", state.path("state")])
      #expect(fob.awaitEnd() == 0, "\(fob.output)")
    }
  }

  @Test(arguments: [
    ("press: {account: 2}", "press is asked of the keychain, and of no account"),
    ("disarm: {pin: \"2468\", account: 0}", "account is an account's number, from 1 on, not '0'"),
    ("expect: {presses: 1, account: two}", "from 1 on, not 'two'"),
    ("expect: {light: idle, account: 2}", "none of this is an account's; of one are presses"),
    ("expect: {account: 2}", "nothing is expected"),
    ("wait: {light: idle, account: 2}", "'account' is no field of light"),
    ("never: {alarm: EMERGENCY_SENT, account: 0, for: 1s}", "account is an account's number"),
    ("series: {description: Are you well?, account: two}", "from 1 on, not 'two'"),
  ])
  func `an account where none can be named is refused with its line`(step: String, words: String) {
    let failure = #expect(throws: Failure.self) {
      try ScenarioReader.read("steps:\n  - \(step)", path: "scenario.yaml")
    }
    #expect(failure?.text.contains("line 2: ") == true, "\(failure?.text ?? "")")
    #expect(failure?.text.contains(words) == true, "\(failure?.text ?? "")")
  }
}
