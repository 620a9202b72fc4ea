import Control
import FobBase
import Foundation
import Glibc
package import SerialIO

/// Closes the button's contact by RTS or DTR of another serial port, through a transistor or an
/// optocoupler.
package final class ModemLineActuator: Actuator {
  /// The modem line that closes the contact.
  package enum Wire: String { case rts, dtr }

  private let port: OwnedDescriptor
  private let path: String
  private let wire: Wire

  /// Opens the port, with the modem line low and the button open.
  package init(path: String, wire: Wire) throws(IOFailure) {
    // Linux raises both lines at opening, which would leave the button closed.
    let settings = SerialSettings(
      dtr: wire == .dtr ? .off : .keep, rts: wire == .rts ? .off : .keep)
    port = try SerialLine(path: path, settings: settings).intoDescriptor()
    self.path = path
    self.wire = wire
  }

  deinit { try? set(closed: false) }

  /// Nil for presses of any length, and for nothing else.
  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .button, .brief: nil
    default:
      "\(wire.rawValue.uppercased()) of \(path) closes the button, and cannot \(ability.words)"
    }
  }

  /// Sets the modem line. For `touch` it returns when the contact is open again.
  package func perform(_ actuation: Actuation) throws {
    switch actuation {
    case .close: try set(closed: true)
    case .open: try set(closed: false)
    case .touch(let hold):
      try set(closed: true)
      Pause.wait(hold)
      try set(closed: false)
    default: throw RigFailure("a modem line cannot \(actuation.needs.words)")
    }
  }

  private func set(closed: Bool) throws(IOFailure) {
    var bit = wire == .rts ? TIOCM_RTS : TIOCM_DTR
    let number = port.number
    let request = UInt(closed ? TIOCMBIS : TIOCMBIC)
    try Syscall.run("\(closed ? "raise" : "lower") \(wire.rawValue.uppercased()) of", path) {
      ioctl(number, request, &bit)
    }
  }
}

/// Moves a QEMU machine by its monitor (QMP, QEMU's "qemu-qmp-ref"): Ctrl is the button of the
/// board, and `system_reset` its reset pin.
package final class QMPActuator: Actuator {
  private let client: ControlClient

  /// - Parameter path: the unix socket of `-qmp unix:PATH,server,nowait`.
  package init(path: String) throws(IOFailure) {
    client = try ControlClient(path: path)
    // QMP sends a greeting first, and takes no command before `qmp_capabilities`.
    _ = try client.nextLine(before: BootClock.now() + .seconds(5))
    try send(#"{"execute":"qmp_capabilities"}"#)
  }

  /// Nil for presses of any length and for resets.
  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .button, .brief, .reset: nil
    default: "QMP presses the button and resets the machine, and cannot \(ability.words)"
    }
  }

  /// Sends a key event or a reset, and waits up to 5 s for QMP's answer.
  package func perform(_ actuation: Actuation) throws {
    switch actuation {
    case .close: try send(Self.key(down: true))
    case .open: try send(Self.key(down: false))
    case .touch(let hold):
      try send(Self.key(down: true))
      Pause.wait(hold)
      try send(Self.key(down: false))
    case .reset: try send(#"{"execute":"system_reset"}"#)
    default: throw RigFailure("QMP cannot \(actuation.needs.words)")
    }
  }

  static func key(down: Bool) -> String {
    #"{"execute":"input-send-event","arguments":{"events":[{"type":"key","data":"#
      + #"{"down":\#(down),"key":{"type":"qcode","data":"ctrl"}}}]}}"#
  }

  private func send(_ line: String) throws(IOFailure) {
    let deadline = BootClock.now() + .seconds(5)
    try client.send(line, before: deadline)
    // Events of the machine may come first.
    while let answer = try client.nextLine(before: deadline) {
      if answer.contains("\"return\"") { return }
      guard answer.contains("\"error\"") else { continue }
      throw IOFailure("command", errno: EPROTO, path: client.path, reason: answer)
    }
  }
}

/// Has a person at the terminal move the device and say when it is done.
package final class PromptActuator: Actuator {
  private let ask: (String) throws -> Bool
  private var isAnswered = true
  private static let absence =
    "nobody answered a prompt: standard input is no terminal, or has ended"

  /// - Parameter ask: shows a line and waits for Enter; false: nobody answers.
  package init(ask: @escaping (String) throws -> Bool) { self.ask = ask }

  /// Nil for the button, the reset and a power cut, none of which a person can time exactly, until
  /// nobody answers.
  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .button, .reset, .powerCut: isAnswered ? nil : Self.absence
    default: "a person cannot \(ability.words) by hand"
    }
  }

  /// Tells the person what to do, and returns when `ask` does.
  /// - Throws: `Stop.untested` where nobody answers.
  package func perform(_ actuation: Actuation) throws {
    let task =
      switch actuation {
      case .close: "Press the button, keep it down"
      case .open: "Let go of the button"
      case .reset: "Reset the device"
      case .powerCut: "Take the device's power away and give it back"
      default: throw RigFailure("a person cannot \(actuation.needs.words) by hand")
      }
    isAnswered = try ask("\(task), and type Enter")
    guard isAnswered else { throw Stop.untested(Self.absence) }
  }
}
