import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

@testable import Conformance

struct ActuatorTests {
  @Test(arguments: [
    "control:/tmp/a.sock", "qmp:/tmp/q", "line:/dev/ttyUSB1:rts", "line:COM:1:dtr",
    "shell:./press.sh --now", "prompt", "none",
  ])
  func `what a person writes is read, and written the same`(_ text: String) throws {
    #expect(try ActuatorSpec(text).description == text)
  }

  @Test(arguments: [
    "", "control:", "qmp", "line:/dev/ttyS0", "line:/dev/ttyS0:cts", "line::rts", "shell:",
    "prompt:x", "usb:1",
  ])
  func `anything else is refused, with the forms that would be right`(_ text: String) {
    let refusal = #expect(throws: RigFailure.self) { try ActuatorSpec(text) }
    #expect(refusal?.description.contains("line:PORT:rts") == true)
  }

  @Test func `a shell command is called with what is to be done`() throws {
    let directory = try ScratchDirectory()
    let script = "\(directory.path)/hand.sh"
    let journal = "\(directory.path)/journal"
    try """
    [ "$1" = abilities ] && { echo button powercut; exit 0; }
    [ "$1" = release ] && exit 3
    echo "$@" >> \(journal)
    """.write(toFile: script, atomically: true, encoding: .utf8)
    let shell = try ShellActuator(command: "sh \(script)")
    #expect(shell.obstacle(to: .button) == nil && shell.obstacle(to: .powerCut) == nil)
    #expect(shell.obstacle(to: .reset) != nil)
    try shell.perform(.close)
    try shell.perform(.powerCut(.milliseconds(250)))
    #expect(try String(contentsOfFile: journal, encoding: .utf8) == "press\npowercut 0.25\n")
    #expect(throws: RigFailure.self) { try shell.perform(.open) }
  }

  @Test
  func `a shell command that hangs is killed with what it started, and one that chatters ends`()
    throws
  {
    let directory = try ScratchDirectory()
    let script = "\(directory.path)/hand.sh"
    try """
    [ "$1" = abilities ] && { echo button; head -c 100000 /dev/zero; exit 0; }
    sleep 1000 & echo $! > \(directory.path)/pid; wait
    """.write(toFile: script, atomically: true, encoding: .utf8)
    let shell = try ShellActuator(command: "sh \(script)", patience: .milliseconds(500))
    #expect(shell.obstacle(to: .button) == nil)
    let failure = #expect(throws: RigFailure.self) { try shell.perform(.close) }
    #expect(failure?.description.contains("did not end within") == true)
    let pid = try String(contentsOfFile: directory.path("pid"), encoding: .utf8)
    let deadline = BootClock.now() + .seconds(30)
    while Self.isRunning(pid.filter(\.isNumber)) { try #require(BootClock.now() < deadline) }
  }

  /// Gone, or ended and not yet collected by whoever inherited it.
  private static func isRunning(_ process: String) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat.map { !$0.contains(") Z ") } ?? false
  }

  @Test func `a person is asked in words, and is not asked for what no hand can do`() throws {
    var asked: [String] = []
    let person = PromptActuator {
      asked.append($0)
      return true
    }
    try person.perform(.close)
    try person.perform(.open)
    #expect(asked.count == 2 && asked[0].contains("Press") && asked[1].contains("Let go"))
    #expect(person.obstacle(to: .brief) != nil && person.obstacle(to: .gps) != nil)
  }

  @Test func `where nobody answers, a case is not tested, and nobody is asked again`() throws {
    let nobody = PromptActuator { _ in false }
    #expect(nobody.obstacle(to: .button) == nil)
    let stop = #expect(throws: Stop.self) { try nobody.perform(.close) }
    let reason = try #require(nobody.obstacle(to: .button))
    #expect(stop == .untested(reason) && reason.contains("nobody answered"))
    #expect(nobody.obstacle(to: .powerCut) == reason)
  }

  @Test func `without an actuator nothing is passed that needs one`() {
    let hand = NoActuator()
    for ability in Ability.allCases { #expect(hand.obstacle(to: ability) != nil) }
  }
}
