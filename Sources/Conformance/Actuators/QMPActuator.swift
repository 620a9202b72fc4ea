import Control
import FobBase
import Foundation
package import SerialIO

/// A QEMU machine by its monitor (QMP, QEMU's "qemu-qmp-ref"): Ctrl is the button of the board,
/// and `system_reset` its reset pin.
package final class QMPActuator: Actuator {
  private let client: ControlClient

  /// - Parameter path: the unix socket of `-qmp unix:PATH,server,nowait`.
  package init(path: String) throws(IOFailure) {
    client = try ControlClient(path: path)
    // QMP greets first, and takes nothing else before this.
    _ = try client.nextLine(before: BootClock.now() + .seconds(5))
    try send(#"{"execute":"qmp_capabilities"}"#)
  }

  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .button, .brief, .reset: nil
    default: "QMP presses the button and resets the machine, and cannot \(ability.words)"
    }
  }

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
