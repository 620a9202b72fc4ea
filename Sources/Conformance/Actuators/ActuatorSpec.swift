import SerialIO

/// What `--actuator` names: `control:PATH`, `qmp:PATH`, `line:PORT:rts`, `line:PORT:dtr`,
/// `shell:COMMAND`, `prompt` or `none`.
package enum ActuatorSpec: Hashable, Sendable, CustomStringConvertible {
  case control(path: String)
  case qmp(path: String)
  case line(port: String, ModemLineActuator.Wire)
  case shell(command: String)
  case prompt
  case none

  package static let forms =
    "control:PATH, qmp:PATH, line:PORT:rts, line:PORT:dtr, shell:COMMAND, prompt or none"

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

  /// - Parameters:
  ///   - serial: of the keychain, where a control socket has many.
  ///   - ask: shows a line to a person, and waits for Enter.
  package func open(
    serial: UInt32? = nil, ask: @escaping (String) throws -> Void
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
