import AlertCore
import Emulator
import Firmware
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

/// A paired keychain here and its core elsewhere: the bridge between them has no key.
@Suite struct RemotePairingTests {
  private static let key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  private let bridgeRig: BridgeRig
  private let feedServer: FeedServer
  private let way: LoopbackCore
  private let keychain: EmulatedKeychain
  private let bridge: RemoteBridge

  init() throws {
    bridgeRig = try BridgeRig([], sinks: [try RecordingSink()])
    try bridgeRig.bridge.devices.keyring?.keep(Self.key, of: .bench(1))
    feedServer = try FeedServer(bridgeRig.bridge)
    way = LoopbackCore(feedServer)
    let store = bridgeRig.path("keychain.store")
    var memory = Data(count: 8_192)
    memory.withUnsafeMutableBytes { Keychain.pair($0, with: Self.key) }
    try memory.write(to: URL(filePath: store))
    keychain = try EmulatedKeychain(
      EmulatorConfiguration(
        serial: 1, linkPath: bridgeRig.path("keychain"), storePath: store, bounceSeed: nil))
    try keychain.start()
    bridge = try RemoteBridge(by: way) { _ in }
    try bridge.start([DeviceSpec(pty: bridgeRig.path("keychain"))])
    try keychain.wait(for: .linked)
  }

  private func end() {
    bridge.stop()
    feedServer.stop()
    keychain.stop()
    bridgeRig.stop()
  }

  private func await60(_ words: String, _ isSo: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(60)
    while try !isSo() {
      try #require(BootClock.now() < deadline, "60 s were too short for \(words)")
      _ = try Syscall.poll(-1, for: 0, until: BootClock.now() + .milliseconds(5))
    }
  }

  private func awaitShown(_ words: String) throws {
    try await60("the light to say \(words)") { try keychain.state().shown == words }
  }

  @Test func `a press is proved at the core, acked through the bridge and shown as accepted`()
    throws
  {
    defer { end() }
    try await60("the proof") { bridgeRig.bridge.status.links.count == 1 }
    let event = try keychain.press()
    _ = try keychain.perform(.wait(.acked(event), within: .seconds(60)))
    try bridgeRig.waitFor(.emergencySent)
    try awaitShown("accepted")
    #expect(try bridgeRig.store.presses().map(\.event) == [event.text])
    #expect(bridgeRig.journal.count(.pressUnproved) == 0)
    _ = try bridgeRig.disarm("2468")
    try awaitShown("ended")
  }

  @Test func `a bridge that acks and lights by itself is not believed, and the press is told`()
    throws
  {
    defer { end() }
    try await60("the proof") { bridgeRig.bridge.status.links.count == 1 }
    way.isCut = true
    let event = try keychain.press()
    try await60("the event's post") { way.events.contains { $0.number == event } }
    let identity = try #require(way.events.first { $0.number == event })
    let accepted = Indication(incident: 1, state: .accepted)
    for _ in 0..<3 {
      way.forge(.ack(line: 0, EventAck(identity)))
      way.forge(.indicate(FeedSignal.Shown(0, accepted)))
      way.forge(
        .frame(
          line: 0,
          RelayedFrame(
            head: 0x18, rawType: MessageType.eventAck.rawValue,
            payload: [UInt8](EventAck(identity).data), trailer: Array(1...16))))
    }
    // It has read all of them when it answers what was asked behind them.
    _ = try keychain.perform(.reset)
    try await60("its answer") { try keychain.state().shown == "sending" }
    #expect(try keychain.state().unacked ?? 0 >= 1)
    way.isCut = false
    _ = try keychain.perform(.wait(.acked(event), within: .seconds(60)))
    try awaitShown("accepted")
  }

  @Test func `a core that comes back proves its session anew, and goes on`() throws {
    defer { end() }
    try await60("the proof") { bridgeRig.bridge.status.links.count == 1 }
    let first = try keychain.press()
    _ = try keychain.perform(.wait(.acked(first), within: .seconds(60)))
    feedServer.stop()
    let next = try FeedServer(bridgeRig.bridge)
    defer { next.stop() }
    way.feedServer = nil
    way.feedServer = next
    let second = try keychain.press()
    _ = try keychain.perform(.wait(.acked(second), within: .seconds(60)))
    try awaitShown("accepted")
  }

  @Test func `a keychain at a bridge on another host is paired by its label`() throws {
    defer { end() }
    let label = LabelCode(Self.key, of: .bench(1))
    try bridgeRig.bridge.devices.keyring?.keep(nil, of: .bench(1))
    bridgeRig.bridge.devices.renewKeys()
    try await60("its word") { bridgeRig.bridge.status.links.count == 1 }
    let wrong = LabelCode(PairingKey(low: 1, high: 2), of: .bench(1))
    for (label, refusal) in [(wrong, PairingRefusal.notProved), (label, nil)] {
      let waiting = try Waiting<PairingRefusal?>()
      bridgeRig.bridge.pair(.bench(1), by: label, pin: "2468", by: "console") { waiting.put($0) }
      #expect(try waiting.get() == refusal)
    }
    let event = try keychain.press()
    _ = try keychain.perform(.wait(.acked(event), within: .seconds(60)))
    try awaitShown("accepted")
    #expect(bridgeRig.journal.count(.pressUnproved) == 0)
  }
}
