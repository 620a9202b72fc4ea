import FobBase
import Glibc
package import SerialIO

/// RTS or DTR of another serial port closes the button's contact, through a transistor or an
/// optocoupler.
package final class ModemLineActuator: Actuator {
  package enum Wire: String { case rts, dtr }

  private let port: OwnedDescriptor
  private let path: String
  private let wire: Wire

  package init(path: String, wire: Wire) throws(IOFailure) {
    // Linux raises both at opening: the button must not be left closed.
    let settings = SerialSettings(
      dtr: wire == .dtr ? .off : .keep, rts: wire == .rts ? .off : .keep)
    port = try SerialLine(path: path, settings: settings).intoDescriptor()
    self.path = path
    self.wire = wire
  }

  deinit { try? set(closed: false) }

  package func obstacle(to ability: Ability) -> String? {
    switch ability {
    case .button, .brief: nil
    default:
      "\(wire.rawValue.uppercased()) of \(path) closes the button, and cannot \(ability.words)"
    }
  }

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
