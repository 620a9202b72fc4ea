import Emulator
import FobBase
import TestSupport

extension EmulatedKeychain {
  /// The real firmware on a clean contact, at a name in this folder.
  static func started(
    in folder: ScratchDirectory, named name: String = "keychain", serial: UInt32 = 1,
    gps: GPSSource = .none, hasBattery: Bool = true
  ) throws -> EmulatedKeychain {
    var configuration = EmulatorConfiguration(
      serial: serial, linkPath: "\(folder.path)/\(name)", gps: gps, bounceSeed: nil)
    configuration.hasBattery = hasBattery
    let keychain = try EmulatedKeychain(configuration)
    try keychain.start()
    return keychain
  }

  func press() throws -> EventNumber {
    guard case .event(let number) = try perform(.press(hold: .milliseconds(30))) else {
      throw CommandRefusal("a press is answered with its event")
    }
    return number
  }

  func wait(for goal: EmulatorCommand.Goal) throws { _ = try perform(.wait(goal)) }

  func state() throws -> EmulatorState {
    guard case .state(let state) = try perform(.state) else { throw CommandRefusal("no state") }
    return state
  }
}
