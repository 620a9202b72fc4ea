import Emulator
import FobBase
import Testing
import USB
import WireProtocol

/// An emulated keychain as a USB device, by way of the real server.
@Suite struct USBKeychainTests {
  @Test(arguments: [(USBSpeed.full, 128), (.high, 1_024), (.full, 64), (.high, 512)])
  func `a press arrives over the port`(speed: USBSpeed, readLength: Int) throws {
    let rig = try USBRig(speed: speed)
    let host = try rig.host(readLength: readLength)
    try host.open()
    try host.awaitLink()
    _ = try rig.keychain.perform(.wait(.linked))
    let number = try rig.press()
    #expect(try host.event(number).identity.kind == .pressed)
    #expect(try host.event(number).identity.deviceID == .bench(1))
    let state = try rig.state()
    #expect(state.host && state.linked && state.link == "usb:1209:0001:8000000000000001")
    let usb = try #require(state.usb)
    #expect(usb.busID == "1-1" && usb.imported && usb.configured && usb.dtr && usb.rts)
    #expect(usb.line == "9600 8N1" && usb.speed == "\(speed)")
  }

  @Test func `its connection ends when the plug is pulled, and it can be imported again`() throws {
    let rig = try USBRig()
    let first = try rig.linkedHost()
    #expect(try rig.keychain.perform(.unplug) == .done)
    try first.awaitEnd()
    #expect(try rig.client().deviceList().isEmpty)
    #expect(try !rig.client().importDevice("1-1"))
    #expect(try rig.state().usb?.imported == false)
    let number = try rig.press()
    #expect(try rig.keychain.perform(.replug) == .done)
    let second = try rig.linkedHost()
    #expect(try second.event(number).identity.kind == .pressed, "made while unplugged")
  }

  @Test func `a host that dies is noticed, and the next one gets what it missed`() throws {
    let rig = try USBRig()
    var first: USBHost? = try rig.linkedHost()
    try rig.await(.hostOpened)
    #expect(first != nil)
    first = nil
    try rig.await(.hostClosed)
    let number = try rig.press()
    let second = try rig.linkedHost()
    #expect(try second.event(number).identity.kind == .pressed)
    _ = try rig.keychain.perform(.wait(.linked))
  }

  @Test func `a port is closed by seventeen unlinks and opened again`() throws {
    let rig = try USBRig()
    let host = try rig.linkedHost()
    host.acks = false
    for round in 1...3 {
      try rig.await(.hostOpened, times: round)
      let unlinks = try host.close()
      #expect(unlinks.count == USBHost.parked + 1)
      #expect(unlinks.allSatisfy { $0 == -104 || $0 == 0 })
      try rig.await(.hostClosed, times: round)
      #expect(try rig.state().usb?.configured == true)
      let number = try rig.press()
      try host.open()
      #expect(try host.event(number).identity.kind == .pressed)
    }
  }

  @Test func `closed and opened again at once it is told of both`() throws {
    let rig = try USBRig()
    let host = try rig.linkedHost()
    try rig.await(.hostOpened)
    try host.reopenAtOnce()
    try rig.await(.hostClosed)
    try rig.await(.hostOpened, times: 2)
    #expect(try rig.state().host)
  }

  @Test func `vendor requests are answered while the port is open`() throws {
    let rig = try USBRig()
    let host = try rig.host()
    let before = try #require(try host.control(0xC0, 0x01, length: 64))
    #expect(before.withUnsafeBytes { Hello($0) }?.session == 0, "not linked")
    try host.open()
    try host.awaitLink()
    let hello = try #require(try host.control(0xC0, 0x01, length: 64))
    #expect(hello.count == Hello.size)
    let said = try #require(hello.withUnsafeBytes { Hello($0) })
    #expect(said.deviceID == .bench(1) && said.session != 0 && said.bootCounter == 1)
    let beat = try #require(try host.control(0xC0, 0x04, length: 64))
    #expect(beat.withUnsafeBytes { Heartbeat($0) }?.batteryPercent == 100)
    let info = try #require(try host.control(0xC0, 0x50, length: 255))
    #expect(String(decoding: info, as: UTF8.self) == "fob keychain\u{0}0.1.0")
    #expect(try host.control(0xC0, 0x10, length: 64) == nil, "STALL")
    try host.close()
    try rig.await(.hostClosed)
    let after = try #require(try host.control(0xC0, 0x01, length: 64))
    #expect(after.withUnsafeBytes { Hello($0) }?.session == 0, "nobody listens any more")
  }

  @Test func `it can be asked to show itself, but not while a press waits`() throws {
    let rig = try USBRig()
    let host = try rig.linkedHost()
    try host.awaitNotifications(1)
    let identify: [UInt8] = [10, 0, 0x10, 0x27]
    // The events of the boot are acked by then, or are no presses.
    #expect(try host.control(0x40, 0x21, data: identify) == [])
    _ = try rig.events.first("identify") { $0.name == .shown && $0.shown == "identify" }
    #expect(try host.control(0x40, 0x21, data: [200, 0, 1, 0]) == nil, "no such state")
    #expect(try host.control(0x40, 0x21, data: [10, 0, 1]) == nil, "too short")
    try host.close()
    _ = try rig.press()
    #expect(try host.control(0x40, 0x21, data: identify) == nil)
  }

  @Test func `without power it stays on the bus and says so`() throws {
    let rig = try USBRig()
    let host = try rig.linkedHost()
    try host.awaitNotifications(1)
    #expect(try rig.keychain.perform(.powerCut(.seconds(600))) == .done)
    try host.awaitNotifications(2)
    #expect(host.notifications.map { $0[8] } == [3, 0])
    #expect(try host.control(0x80, 8, length: 1) == [1], "the USB part lives on")
    #expect(try host.control(0xC0, 0x01, length: 64) == nil, "the board does not")
  }

  @Test func `a host that floods it is held back and the keychain goes on`() throws {
    let rig = try USBRig()
    let host = try rig.host()
    // Nobody reads them: the port is not open.
    let first = try host.write(Array(repeating: 0x55, count: 1_000))
    #expect(try host.answer(to: first).status == 0)
    let waiting = try host.write(Array(repeating: 0x55, count: 4_000))
    for _ in 0..<127 { try host.write([1]) }
    let refused = try host.write([2])
    #expect(try host.answer(to: refused).status == -12)
    #expect(try host.answer(to: try host.client.unlink(waiting)).status == -104)
    _ = try rig.press()
  }

  @Test func `a host that takes no answers does not stop the keychain`() throws {
    let rig = try USBRig()
    let host = try rig.host()
    let setup = SetupPacket(requestType: 0x80, request: 6, value: 0x200, length: 255)
    var asked = 0
    // Until its socket is full, the server's answers are never read.
    while asked < 20_000, try host.client.trySubmit(setup) { asked += 1 }
    #expect(asked < 20_000, "what it asks is held back")
    _ = try rig.press()
    _ = try rig.state()
    let other = try rig.client()
    #expect(try other.deviceList().isEmpty, "it is imported")
  }

  @Test func `what no host says ends the connection, and the reason is told`() throws {
    let rig = try USBRig()
    let host = try rig.host()
    try host.client.send(Array(repeating: 0xFF, count: 48))
    try host.awaitEnd()
    let next = try rig.client()
    #expect(try next.deviceList().map(\.busID) == ["1-1"])
    #expect(try rig.state().usb?.refused == "an URB for the device 4294967295")
    let linked = try rig.linkedHost()
    #expect(try rig.state().usb?.refused == nil)
    withExtendedLifetime(linked) {}
  }
}
