import AlertCore
import Emulator
import FobBase
import SerialIO
import Sinks
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

/// A keychain here and the core elsewhere: the bridge between them adds nothing and loses nothing.
@Suite struct RemoteBridgeTests {
  private let bridgeRig: BridgeRig
  private let feedServer: FeedServer
  private let way: LoopbackCore
  private let keychain: EmulatedKeychain
  private let bridge: RemoteBridge

  init() throws {
    bridgeRig = try BridgeRig([], sinks: [try RecordingSink()])
    feedServer = try FeedServer(bridgeRig.bridge)
    way = LoopbackCore(feedServer)
    keychain = try EmulatedKeychain.started(in: bridgeRig.folder)
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

  private func awaitShown(_ words: String) throws {
    try await20("the light to say \(words)") { try keychain.state().shown == words }
  }

  /// For what takes longer than the journal's patience.
  private func await20(_ words: String, _ isSo: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(20)
    while try !isSo() {
      try #require(BootClock.now() < deadline, "20 s were too short for \(words)")
      _ = try Syscall.poll(-1, for: 0, until: BootClock.now() + .milliseconds(5))
    }
  }

  @Test func `a press is committed there, acked here and shown as accepted`() throws {
    defer { end() }
    let event = try keychain.press()
    try keychain.wait(for: .acked(event))
    try bridgeRig.waitFor(.emergencySent)
    try awaitShown("accepted")
    #expect(try bridgeRig.store.presses().map(\.event) == [event.text])
    #expect(bridgeRig.bridge.status.links.count == 1)
    _ = try bridgeRig.disarm("2468")
    try awaitShown("ended")
  }

  @Test func `a keychain that is added while it runs has a line of its own`() throws {
    defer { end() }
    try bridge.add(DeviceSpec(pty: bridgeRig.path("second")))
    let second = try EmulatedKeychain.started(in: bridgeRig.folder, named: "second", serial: 2)
    defer { second.stop() }
    try second.wait(for: .linked)
    let presses = [try keychain.press(), try second.press()]
    try keychain.wait(for: .acked(presses[0]))
    try second.wait(for: .acked(presses[1]))
    #expect(try bridgeRig.store.presses().count == 2)
    #expect(bridgeRig.bridge.status.links.count == 2)
  }

  @Test func `a press while nobody can be reached comes through afterwards, once`() throws {
    defer { end() }
    way.isCut = true
    let event = try keychain.press()
    let posts = way.posts
    try await20("further tries") { way.posts >= posts + 2 }
    #expect(try bridgeRig.store.presses().isEmpty)
    #expect(try keychain.state().shown == "sending")
    way.isCut = false
    try keychain.wait(for: .acked(event))
    #expect(try bridgeRig.store.presses().map(\.event) == [event.text])
    #expect(try bridgeRig.store.incidents().count == 1)
  }

  @Test func `an answer that is lost makes no second entry`() throws {
    defer { end() }
    way.losesAnswers = true
    let event = try keychain.press()
    try bridgeRig.waitFor(.emergencySent)
    way.losesAnswers = false
    try keychain.wait(for: .acked(event))
    #expect(try bridgeRig.store.presses().map(\.event) == [event.text])
  }

  @Test func `an ack comes with the light that is true then, not with one of before`() throws {
    defer { end() }
    try awaitShown("idle")
    way.takesStreams = false
    let event = try keychain.press()
    try keychain.wait(for: .acked(event))
    #expect(try keychain.state().shown == "sending")
    way.takesStreams = true
    try awaitShown("accepted")
  }

  @Test func `a bridge that hears nothing of its core lets the light's lease run out`() throws {
    defer { end() }
    let event = try keychain.press()
    try keychain.wait(for: .acked(event))
    try awaitShown("accepted")
    let cut = BootClock.now()
    way.isCut = true
    // Nothing is unacked: the keychain shows what it shows of itself.
    try awaitShown("unclaimed")
    // Five seconds of silence, and a lease of five.
    #expect(BootClock.now() - cut < .seconds(13))
    way.isCut = false
    try awaitShown("accepted")
  }

  /// It is told nothing more of its lines, and would go on with what it was told.
  @Test func `a bridge that is not heard for ten seconds has its stream ended`() throws {
    defer { end() }
    try await20("the link") { bridgeRig.bridge.status.links.count == 1 }
    let streams = way.streams
    way.losesPosts = true
    try await20("a new stream") { way.streams > streams }
    try await20("its end") { bridgeRig.bridge.status.links.isEmpty }
  }

  @Test func `a bridge that has gone has its links taken down after ten seconds`() throws {
    defer { end() }
    try await20("the link") { bridgeRig.bridge.status.links.count == 1 }
    bridge.stop()
    try await20("its end") { bridgeRig.bridge.status.links.isEmpty }
  }
}
