import Emulator
import FobBase
import SerialIO
import Storage
import TestSupport
import Testing

@testable import Bridge

/// Devices that a bridge takes on while it runs.
@Suite struct AddTests {
  @Test func `a keychain that is added later is served beside the first`() throws {
    let station = try Station(sinks: [try RecordingSink()])
    let first = try EmulatedKeychain.started(in: station.folder)
    defer { first.stop() }
    try first.wait(for: .linked)
    try station.bridge.add(DeviceSpec(pty: station.path("second")))
    let second = try EmulatedKeychain.started(in: station.folder, named: "second", serial: 2)
    defer { second.stop() }
    try second.wait(for: .linked)
    for keychain in [first, second] {
      try keychain.wait(for: .acked(try keychain.press()))
    }
    #expect(try station.store.presses().count == 2)
  }

  @Test func `a bridge that has stopped takes none on`() throws {
    let station = try Station([], sinks: [try RecordingSink()])
    let bridge = station.bridge
    bridge.stop()
    try bridge.add(DeviceSpec(pty: station.path("keychain")))
    let keychain = try EmulatedKeychain.started(in: station.folder)
    defer { keychain.stop() }
    #expect(try !keychain.state().linked)
  }

  @Test func `the search for keychains ends with the bridge`() throws {
    let station = try Station([], sinks: [try RecordingSink()])
    try station.bridge.find(KeychainMatch())
    let began = BootClock.now()
    station.stop()
    #expect(BootClock.now() - began < .seconds(1))
  }
}
