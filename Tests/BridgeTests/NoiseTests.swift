import AlertCore
import Bridge
import FobBase
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

/// What is no frame gives one line for an episode, and leads to nothing else.
@Suite struct NoiseTests {
  private let folder: ScratchDirectory
  private let device: RawDevice
  private let bridgeRig: BridgeRig

  init() throws {
    folder = try ScratchDirectory()
    device = try RawDevice(in: folder)
    bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
  }

  @Test func `a modem command is one line of noise`() throws {
    try device.say(Array("AT\r\n".utf8) + [0])
    try expectOneNotice("line noise, 5 bytes passed over; damaged frames: 1")
  }

  @Test func `a million random bytes are one line of noise`() throws {
    var random = SeededGenerator(seed: 1)
    try device.say((0..<1_000_000).map { _ in UInt8.random(in: 0...255, using: &random) } + [0])
    try expectOneNotice("bytes passed over; damaged frames: ")
  }

  @Test func `the host's own echo is one line of noise`() throws {
    _ = try device.hear(Hello.self)
    let hello = Hello(
      role: .host, session: 1, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
    for _ in 0..<3 { try device.say(hello) }
    try expectOneNotice("frames of our own: 3")
  }

  /// - Parameter part: of the notice's text.
  private func expectOneNotice(_ part: String) throws {
    try bridgeRig.journal.wait("the noise is told") { !noise.isEmpty }
    #expect(bridgeRig.journal.auditEvents.isEmpty)
    #expect(bridgeRig.bridge.status.incident == nil)
    // A press behind the noise comes through, and shows that nothing else was on its way.
    let press = EventRecord.press(1)
    try device.say(press)
    #expect(try device.hear(EventAck.self) == EventAck(press.identity))
    #expect(try bridgeRig.store.presses().count == 1)
    #expect(noise.count == 1)
    #expect(noise[0].hasPrefix("pty:\(folder.path)/keychain: line noise, "))
    #expect(noise[0].contains(part))
  }

  private var noise: [String] { bridgeRig.journal.notices.filter { $0.contains("line noise") } }
}
