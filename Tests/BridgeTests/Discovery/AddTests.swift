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
    let bridgeRig = try BridgeRig(sinks: [try RecordingSink()])
    let first = try EmulatedKeychain.started(in: bridgeRig.folder)
    defer { first.stop() }
    try first.wait(for: .linked)
    try bridgeRig.bridge.add(DeviceSpec(pty: bridgeRig.path("second")))
    let second = try EmulatedKeychain.started(in: bridgeRig.folder, named: "second", serial: 2)
    defer { second.stop() }
    try second.wait(for: .linked)
    for keychain in [first, second] {
      try keychain.wait(for: .acked(try keychain.press()))
    }
    #expect(try bridgeRig.store.presses().count == 2)
  }

  @Test func `a bridge that has stopped takes none on`() throws {
    let bridgeRig = try BridgeRig([], sinks: [try RecordingSink()])
    let bridge = bridgeRig.bridge
    bridge.stop()
    try bridge.add(DeviceSpec(pty: bridgeRig.path("keychain")))
    let keychain = try EmulatedKeychain.started(in: bridgeRig.folder)
    defer { keychain.stop() }
    #expect(try !keychain.state().linked)
  }

  @Test func `the search for keychains ends with the bridge`() throws {
    let bridgeRig = try BridgeRig([], sinks: [try RecordingSink()])
    try bridgeRig.bridge.find(KeychainMatch())
    let began = BootClock.now()
    bridgeRig.stop()
    #expect(BootClock.now() - began < .seconds(5))
  }
}
