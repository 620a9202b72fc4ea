package import FobBase
import Glibc
import SerialIO

/// Moves the device by a command of the user: `COMMAND press`, `release`, `reset`,
/// `powercut SECONDS`, `battery PERCENT`, `brownout SECONDS`.
///
/// Called with `abilities` the command says what it can: words on standard output, of
/// `button brief reset powercut brownout battery`. A command that does not know that word is taken
/// to have the button alone. Each call may take a minute, and the time of the cut or brown-out; at
/// most 4 KiB of its output are read.
package final class ShellActuator: Actuator {
  private let command: String
  private let patience: Interval
  private let abilities: Set<Ability>
  private static let words: [String: Ability] = [
    "button": .button, "brief": .brief, "reset": .reset, "powercut": .powerCut,
    "brownout": .brownOut, "battery": .battery,
  ]

  /// - Throws: `RigFailure` if the shell cannot be run.
  package init(command: String, patience: Interval = .seconds(60)) throws {
    self.command = command
    self.patience = patience
    let (end, output) = try Self.run("\(command) abilities", within: patience)
    let named = output.split(whereSeparator: \.isWhitespace).compactMap { Self.words[String($0)] }
    abilities = end == .exited(0) && !named.isEmpty ? Set(named) : [.button]
  }

  /// Nil for the abilities that the command has named.
  package func obstacle(to ability: Ability) -> String? {
    abilities.contains(ability)
      ? nil : "the shell command does not say that it can \(ability.words)"
  }

  /// Runs the command, and waits for its end.
  /// - Throws: `RigFailure` where it does not end with 0 in its time.
  package func perform(_ actuation: Actuation) throws {
    switch actuation {
    case .close: try call("press")
    case .open: try call("release")
    case .touch(let hold):
      try call("press")
      Pause.wait(hold)
      try call("release")
    case .reset: try call("reset")
    case .powerCut(let pause): try call("powercut \(Double(pause.ms) / 1_000)", lasting: pause)
    case .brownOut(let pause): try call("brownout \(Double(pause.ms) / 1_000)", lasting: pause)
    case .battery(let percent): try call("battery \(percent)")
    default: throw RigFailure("the shell command cannot \(actuation.needs.words)")
    }
  }

  private func call(_ words: String, lasting duration: Interval = .zero) throws {
    let (end, _) = try Self.run("\(command) \(words)", within: duration + patience)
    switch end {
    case .exited(0): break
    case .exited(let status):
      throw RigFailure("'\(command) \(words)' ended with \(status): it must end with 0")
    case .killed(let signal):
      throw RigFailure("'\(command) \(words)' was ended by signal \(signal)")
    case nil:
      throw RigFailure("'\(command) \(words)' did not end within its time, and was killed")
    }
  }

  /// - Returns: nil in place of its end where it took too long and was killed.
  private static func run(
    _ line: String, within patience: Interval
  ) throws -> (end: ChildProgram.End?, output: String) {
    do throws(IOFailure) {
      let output = try BoundedOutput(limit: 4_096)
      let shell = try ChildProgram(
        ["/bin/sh", "-c", line], .init(output: output.descriptor, errors: STDERR_FILENO))
      let end = try shell.awaitEnd(until: BootClock.now() + patience)
      return (end, output.text)
    } catch {
      throw RigFailure("\(error)")
    }
  }
}
