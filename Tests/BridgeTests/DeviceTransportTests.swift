import AlertCore
import Bridge
import Emulator
import FobBase
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

@Suite struct DeviceTransportTests {
  private let folder: ScratchDirectory
  private let sink: RecordingSink

  init() throws {
    folder = try ScratchDirectory()
    sink = try RecordingSink()
  }

  /// R1: on its own.
  @Test func `a keychain that is pulled out and plugged in again goes on where it was`() throws {
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    let first = try keychain.press()
    try bridgeRig.journal.waitForLight(.accepted)
    _ = try keychain.perform(.unplug)
    try bridgeRig.journal.wait(.linkDown)
    #expect(bridgeRig.bridge.status.links.isEmpty)
    let second = try keychain.press()
    _ = try keychain.perform(.replug)
    try bridgeRig.journal.wait(.linkUp, 2)
    try keychain.wait(for: .acked(second))
    #expect(try bridgeRig.store.presses().map(\.event) == [first.text, second.text])
    #expect(bridgeRig.bridge.status.incident?.presses.count == 2)
    #expect(bridgeRig.bridge.status.links.map(\.device) == ["8000000000000001"])
    try bridgeRig.journal.wait(.pressAdded)
    #expect(bridgeRig.journal.count(.incidentOpened) == 1)
  }

  @Test func `a press is taken from a device that never said HELLO, and acked`() throws {
    let device = try RawDevice(in: folder)
    let press = EventRecord.press(1)
    try device.say(press)
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    #expect(try device.hear(EventAck.self) == EventAck(press.identity))
    try bridgeRig.waitFor(.emergencySent)
    #expect(bridgeRig.journal.count(.linkUp) == 0)
    #expect(try bridgeRig.store.presses().map(\.event) == ["1.1"])
  }

  @Test func `two keychains press into one incident, and both are acked`() throws {
    let keychains = try (1...2).map { n in
      try EmulatedKeychain.started(in: folder, named: "\(n)", serial: UInt32(n))
    }
    defer { for keychain in keychains { keychain.stop() } }
    let bridgeRig = try BridgeRig(["1", "2"], sinks: [sink], in: folder)
    for keychain in keychains { try keychain.wait(for: .acked(try keychain.press())) }
    #expect(try bridgeRig.store.presses().count == 2)
    #expect(try bridgeRig.store.incidents().count == 1)
    #expect(bridgeRig.bridge.status.links.count == 2)
  }

  /// R29.
  @Test func `a device that cannot be opened is told with the reason, once`() throws {
    let bridgeRig = try BridgeRig(["nothing"], sinks: [sink], in: folder)
    try bridgeRig.journal.wait("a notice") { !bridgeRig.journal.notices.isEmpty }
    #expect(
      bridgeRig.journal.notices == [
        "cannot open \(folder.path)/nothing: No such file or directory."
          + " Is the keychain running, and the path right? fob keeps trying"
      ])
  }

  @Test func `a device of another protocol version is told, and its presses still alarm`() throws {
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    var hello = Hello.answering(try device.hear(Hello.self))
    (hello.versionMin, hello.versionMax) = (2, 3)
    try device.say(hello)
    try bridgeRig.journal.wait("a notice") {
      bridgeRig.journal.notices.contains { $0.contains("speaks protocol 2 to 3, this bridge 1") }
    }
    var body = FrameBody(EventRecord.press(1), sequence: 0)
    body = body.withBytes { bytes in
      var next = Array(bytes.prefix(4 + EventIdentity.size))
      next[0] = 0x20
      return next.withUnsafeBytes { FrameBody(raw: $0) }
    }
    try device.say(WireFrame(body, afterSilence: true).withBytes { Array($0) })
    #expect(try device.hear(EventAck.self) == EventAck(EventRecord.press(1).identity))
    try bridgeRig.waitFor(.emergencySent)
  }

  @Test func `no clock that a device may claim makes the bridge trap`() throws {
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    let hello = try device.hear(Hello.self)
    try device.say(Hello.answering(hello))
    let request = try device.hear(TimeRequest.self)
    try device.say(TimeResponse(to: request, receive: 0, send: 0, bootNonce: 77))
    let offset = UInt64(bitPattern: BootClock.now().microseconds)
    let edges = [0, .max, 1 << 63, (1 << 63) &- offset, (1 << 63) &- offset &- 1]
    var n: UInt32 = 0
    for edge in edges {
      for near in stride(from: edge &- 2_000_000, through: edge, by: 500_000) where edge > near {
        n += 1
        try device.say(EventRecord.press(n, clock: near))
        #expect(try device.hear(EventAck.self).number == EventNumber(boot: 1, n: n))
      }
    }
    #expect(try bridgeRig.store.presses().count == Int(n))
  }
}
