import Emulator
import FobBase
import SerialIO
import TestSupport
import Testing
import USB

/// Emulated keychains on the bus of a server at a path, and what the first one tells.
final class USBRig {
  let server: USBIPServer
  let fleet: KeychainFleet
  let events: Journal<EmulatorEvent>
  private let directory: ScratchDirectory
  private let subscription: EventSubscription

  init(count: Int = 1, speed: USBSpeed = .full, storeName: String? = nil) throws {
    let directory = try ScratchDirectory()
    let server = try USBIPServer(DeviceSpec(.unix(path: directory.path("usbip"))))
    let events = try Journal<EmulatorEvent>()
    fleet = try KeychainFleet(
      (1...count).map { number in
        EmulatorConfiguration(
          serial: UInt32(number), storePath: storeName.map { directory.path("\($0)-\(number)") },
          usb: USBPort(server, number: number, speed: speed))
      })
    self.server = server
    self.directory = directory
    self.events = events
    subscription = try #require(fleet.keychains[0].subscribe { events.add($0) })
    try fleet.start()
    try server.start()
  }

  deinit {
    fleet.stop()
    server.stop()
  }

  var keychain: EmulatedKeychain { fleet.keychains[0] }

  func client() throws -> USBClient { try USBClient(server.address) }

  func host(_ busID: String = "1-1", readLength: Int = 128) throws -> USBHost {
    try USBHost(server.address, importing: busID, readLength: readLength)
  }

  /// With its port open and linked.
  func linkedHost() throws -> USBHost {
    let host = try host()
    try host.open()
    try host.awaitLink()
    return host
  }

  func press() throws -> EventNumber {
    guard case .event(let number) = try keychain.perform(.press()) else {
      throw CommandRefusal("no event")
    }
    return number
  }

  func state() throws -> EmulatorState {
    guard case .state(let state) = try keychain.perform(.state) else {
      throw CommandRefusal("no state")
    }
    return state
  }

  /// So many of that name have been told.
  func await(_ name: EmulatorEvent.Name, times: Int = 1) throws {
    _ = try events.wait("\(name) \(times) times") { events in
      events.count { $0.name == name } >= times ? true : nil
    }
  }
}
