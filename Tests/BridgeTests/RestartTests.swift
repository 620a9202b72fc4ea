import AlertCore
import Bridge
import Emulator
import FobBase
import Sinks
import Storage
import TestSupport
import Testing
import WireProtocol

/// R36: what was begun goes on, whoever restarts.
@Suite struct RestartTests {
  private let folder: ScratchDirectory
  private let sink: RecordingSink

  init() throws {
    folder = try ScratchDirectory()
    sink = try RecordingSink()
  }

  @Test func `a bridge that restarts continues an open alarm and keeps its one entry`() throws {
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    try bridgeRig.waitFor(.emergencySent)
    let incident = try #require(bridgeRig.bridge.status.incident)
    bridgeRig.stop()
    try bridgeRig.start()
    #expect(bridgeRig.bridge.status.state == .emergencySent)
    #expect(bridgeRig.bridge.status.incident?.id == incident.id)
    try bridgeRig.journal.waitForLight(.accepted)
    let next = try keychain.press()
    try keychain.wait(for: .acked(next))
    #expect(try bridgeRig.store.presses().map(\.event) == [number.text, next.text])
    #expect(try bridgeRig.store.incidents().map(\.id) == [incident.id])
    #expect(try bridgeRig.disarm(BridgeRig.pin.description).state == .emergencyEnded)
    bridgeRig.stop()
    try bridgeRig.start()
    #expect(bridgeRig.bridge.status.state == .emergencyEnded)
  }

  @Test func `an event whose ack was lost is acked by the next run and entered no more`() throws {
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    let press = EventRecord.press(1)
    try device.say(press)
    #expect(try device.hear(EventAck.self) == EventAck(press.identity))
    try bridgeRig.waitFor(.emergencySent)
    bridgeRig.stop()
    try bridgeRig.start()
    try device.say(press)
    #expect(try device.hear(EventAck.self) == EventAck(press.identity))
    try bridgeRig.journal.wait(.duplicate)
    #expect(try bridgeRig.store.presses().count == 1)
    #expect(bridgeRig.bridge.status.incident?.presses.count == 1)
  }

  @Test func `presses from before the bridge's start are one incident at its start`() throws {
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    let numbers = try [keychain.press(), keychain.press()]
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    for number in numbers { try keychain.wait(for: .acked(number)) }
    try bridgeRig.waitFor(.emergencySent)
    #expect(Set(try bridgeRig.store.presses().map(\.event)) == Set(numbers.map(\.text)))
    #expect(try bridgeRig.store.incidents().count == 1)
  }

  @Test func `a message that nobody has taken goes out at the next start by its key`() throws {
    let refusing = try RecordingSink("refusing", refusals: .max)
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    do {
      let bridgeRig = try BridgeRig(sinks: [refusing], in: folder)
      _ = try keychain.press()
      try bridgeRig.journal.wait(.deliveryFailed, 2)
    }
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    try bridgeRig.waitFor(.emergencySent)
    try bridgeRig.journal.wait(.delivered, 2)
    #expect(Set(sink.taken.map(\.key)) == Set(refusing.tried.map(\.key)))
  }

  @Test func `a keychain that is reset in mid-session is linked again`() throws {
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    try bridgeRig.journal.wait(.linkUp)
    _ = try keychain.perform(.reset)
    try bridgeRig.journal.wait(.linkUp, 2)
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    try bridgeRig.waitFor(.emergencySent)
  }
}
