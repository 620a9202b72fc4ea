import FobBase
import Foundation

/// A command of the user's moves the device: `COMMAND press`, `release`, `reset`,
/// `powercut SECONDS`, `battery PERCENT`, `brownout SECONDS`. It says what it can when called with
/// `abilities`: words on standard output, of `button brief reset powercut brownout battery`; a
/// command that does not know that word is taken to have the button alone.
package final class ShellActuator: Actuator {
  private let command: String
  private let abilities: Set<Ability>
  private static let words: [String: Ability] = [
    "button": .button, "brief": .brief, "reset": .reset, "powercut": .powerCut,
    "brownout": .brownOut, "battery": .battery,
  ]

  /// - Throws: `RigFailure` if the shell cannot be run.
  package init(command: String) throws {
    self.command = command
    let (status, output) = try Self.run("\(command) abilities")
    let named = output.split(whereSeparator: \.isWhitespace).compactMap { Self.words[String($0)] }
    abilities = status == 0 && !named.isEmpty ? Set(named) : [.button]
  }

  package func obstacle(to ability: Ability) -> String? {
    abilities.contains(ability)
      ? nil : "the shell command does not say that it can \(ability.words)"
  }

  package func perform(_ actuation: Actuation) throws {
    switch actuation {
    case .close: try call("press")
    case .open: try call("release")
    case .touch(let hold):
      try call("press")
      Pause.wait(hold)
      try call("release")
    case .reset: try call("reset")
    case .powerCut(let pause): try call("powercut \(Double(pause.ms) / 1_000)")
    case .brownOut(let pause): try call("brownout \(Double(pause.ms) / 1_000)")
    case .battery(let percent): try call("battery \(percent)")
    default: throw RigFailure("the shell command cannot \(actuation.needs.words)")
    }
  }

  private func call(_ words: String) throws {
    let (status, _) = try Self.run("\(command) \(words)")
    guard status == 0 else {
      throw RigFailure("'\(command) \(words)' ended with \(status): it must end with 0")
    }
  }

  private static func run(_ line: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw RigFailure("cannot run /bin/sh: \(error)")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
