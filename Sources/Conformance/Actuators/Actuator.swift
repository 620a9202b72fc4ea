package import Emulator
import FobBase
import Glibc
import SerialIO

/// Moves the button, the power and the parts of a device that this process reaches only by its
/// line.
package protocol Actuator: AnyObject {
  /// Nil where it can do that, else why not, in words for a person.
  func obstacle(to ability: Ability) -> String?
  /// Moves the device: done, or under way, when it returns.
  func perform(_ actuation: Actuation) throws
  /// Begins to record the edges of the light.
  func watchLight() throws
  /// Ends the recording, and gives its edges.
  func takeLight() throws -> [LightEdge]
}

extension Actuator {
  /// Does nothing, for actuators that cannot see the light.
  package func watchLight() throws {}
  /// No edges.
  package func takeLight() throws -> [LightEdge] { [] }
}

/// Moves nothing: only cases that a line alone can prove are run.
package final class NoActuator: Actuator {
  /// Opens nothing.
  package init() {}

  /// Never nil, as there is no actuator.
  package func obstacle(to ability: Ability) -> String? {
    "nothing here can \(ability.words): give --actuator"
  }

  /// Always throws.
  package func perform(_ actuation: Actuation) throws {
    throw RigFailure("nothing here can \(actuation.needs.words)")
  }
}

extension Ability {
  /// A phrase that follows the word "can".
  package var words: String {
    switch self {
    case .button: "press the button"
    case .brief: "press the button for a few milliseconds"
    case .edges: "move the contact to the microsecond"
    case .chatter: "let a held contact open for moments"
    case .reset: "reset the device"
    case .powerCut: "cut the device's power"
    case .brownOut: "let the device's supply fall"
    case .battery: "set the battery's charge"
    case .gauge: "have the gauge read exactly a charge"
    case .gps: "speak for the GPS receiver"
    case .store: "make the store fail"
    case .clock: "move the device's clock"
    case .light: "see the light"
    }
  }
}

/// Waits in real time, exact to about 0.1 ms, for an actuator that times a contact.
enum Pause {
  static func wait(_ interval: Interval) { wait(until: BootClock.now() + interval) }

  static func wait(until end: Instant) {
    while true {
      let left = (end - BootClock.now()).microseconds
      if left <= 0 { return }
      usleep(UInt32(clamping: left))
    }
  }
}

/// An actuator as `--actuator` names it: `control:PATH`, `qmp:PATH`, `line:PORT:rts`,
/// `line:PORT:dtr`, `shell:COMMAND`, `prompt` or `none`.
package enum ActuatorSpec: Hashable, Sendable, CustomStringConvertible {
  case control(path: String)
  case qmp(path: String)
  case line(port: String, ModemLineActuator.Wire)
  case shell(command: String)
  case prompt
  case none

  /// Every form of the text, for help and errors.
  package static let forms =
    "control:PATH, qmp:PATH, line:PORT:rts, line:PORT:dtr, shell:COMMAND, prompt or none"

  /// - Throws: for text of any other form; the message names all forms.
  package init(_ text: String) throws(RigFailure) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]) : ""
    switch parts[0] {
    case "control" where !rest.isEmpty: self = .control(path: rest)
    case "qmp" where !rest.isEmpty: self = .qmp(path: rest)
    case "shell" where !rest.isEmpty: self = .shell(command: rest)
    case "prompt" where parts.count == 1: self = .prompt
    case "none" where parts.count == 1: self = .none
    case "line":
      let colon = rest.lastIndex(of: ":")
      let wire = colon.flatMap {
        ModemLineActuator.Wire(rawValue: String(rest[rest.index(after: $0)...]))
      }
      guard let colon, let wire, colon != rest.startIndex else { throw Self.refusal(text) }
      self = .line(port: String(rest[..<colon]), wire)
    default: throw Self.refusal(text)
    }
  }

  package var description: String {
    switch self {
    case .control(let path): "control:\(path)"
    case .qmp(let path): "qmp:\(path)"
    case .line(let port, let wire): "line:\(port):\(wire.rawValue)"
    case .shell(let command): "shell:\(command)"
    case .prompt: "prompt"
    case .none: "none"
    }
  }

  /// Opens the actuator; throws where its socket, port or shell cannot be opened.
  /// - Parameters:
  ///   - serial: of the keychain, where a control socket has many.
  ///   - ask: shows a line to a person, and waits for Enter; false: nobody answers.
  package func open(
    serial: UInt32? = nil, ask: @escaping (String) throws -> Bool
  ) throws -> any Actuator {
    switch self {
    case .control(let path): try ControlActuator(path: path, serial: serial)
    case .qmp(let path): try QMPActuator(path: path)
    case .line(let port, let wire): try ModemLineActuator(path: port, wire: wire)
    case .shell(let command): try ShellActuator(command: command)
    case .prompt: PromptActuator(ask: ask)
    case .none: NoActuator()
    }
  }

  private static func refusal(_ text: String) -> RigFailure {
    RigFailure("'\(text)' is no actuator: write \(forms)")
  }
}
