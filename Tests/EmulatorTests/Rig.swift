import Emulator
import FobBase
import SerialIO
import TestSupport
import Testing

/// An emulated keychain in a directory of its own, and everything that it tells.
final class Rig {
  let keychain: EmulatedKeychain
  let events: Journal<EmulatorEvent>
  private let directory: ScratchDirectory
  private let subscription: EventSubscription

  init(
    in directory: ScratchDirectory? = nil, line: DeviceSpec? = nil, light: Bool = false,
    storeName: String? = nil,
    controlName: String? = nil, gps: GPSSource = .none, batteryPercent: UInt8 = 100,
    hasBattery: Bool = true, hasGPS: Bool = true, bounceSeed: UInt64? = 1,
    board: EmulatorConfiguration.Board = .simulated
  ) throws {
    let directory = try directory ?? ScratchDirectory()
    let events = try Journal<EmulatorEvent>()
    var configuration = EmulatorConfiguration(
      serial: 7, line: line ?? DeviceSpec(pty: "\(directory.path)/keychain"),
      storePath: storeName.map { "\(directory.path)/\($0)" },
      controlPath: controlName.map { "\(directory.path)/\($0)" }, gps: gps,
      batteryPercent: batteryPercent, bounceSeed: bounceSeed, board: board)
    configuration.hasBattery = hasBattery
    configuration.hasGPS = hasGPS
    keychain = try EmulatedKeychain(configuration)
    self.directory = directory
    self.events = events
    subscription = try #require(keychain.subscribe(light: light) { events.add($0) })
    try keychain.start()
  }

  deinit { keychain.stop() }

  func press(hold: Interval = EmulatorCommand.defaultHold) throws -> EventNumber {
    try number(of: try keychain.perform(.press(hold: hold)))
  }

  func hold() throws -> EventNumber { try number(of: try keychain.perform(.hold)) }

  func state() throws -> EmulatorState {
    guard case .state(let state) = try keychain.perform(.state) else {
      throw CommandRefusal("no state")
    }
    return state
  }

  func kinds() -> [String] { events.all.filter { $0.name == .committed }.compactMap(\.kind) }

  func wait(for goal: EmulatorCommand.Goal) throws {
    #expect(try keychain.perform(.wait(goal, within: .seconds(60))) == .done)
  }

  private func number(of answer: EmulatorAnswer) throws -> EventNumber {
    guard case .event(let number) = answer else { throw CommandRefusal("no event") }
    return number
  }
}
