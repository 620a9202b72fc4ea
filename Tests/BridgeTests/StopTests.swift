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

@Suite struct StopTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  @Test func `stop does not wait for a message under way`() throws {
    let sink = try RecordingSink(isOpen: false)
    defer { sink.letGo() }
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [sink], in: folder)
    try device.say(EventRecord.press(1))
    try sink.waitUntilTried()
    let began = BootClock.now()
    bridgeRig.stop()
    #expect(BootClock.now() - began < .seconds(5))
  }

  @Test func `what was decided before the stop is durable after it`() throws {
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    for n: UInt32 in 1...30 { try device.say(EventRecord.press(n)) }
    try bridgeRig.journal.wait(.event, 30)
    bridgeRig.stop()
    try bridgeRig.start()
    #expect(try bridgeRig.store.presses().count == 30)
  }

  @Test func `stopping twice, and without a start, is no harm`() throws {
    let store = try AlertStore(directory: folder.path + "/state")
    let bridge = try AlertBridge(account: BridgeRig.account, store: store, sinks: []) { _ in }
    bridge.stop()
    bridge.stop()
  }

  @Test func `a watcher may stop the bridge`() throws {
    let store = try AlertStore(directory: folder.path + "/state")
    let stopped = try Waiting<Bool>()
    let box = try Waiting<AlertBridge>()
    let bridge = try AlertBridge(account: BridgeRig.account, store: store, sinks: []) {
      [weak box] _ in
      guard let bridge = try? box?.get() else { return }
      bridge.stop()
      stopped.put(true)
    }
    box.put(bridge)
    try bridge.start([])
    bridge.devices.events.notice(.info, "stop")
    #expect(try stopped.get())
  }

  @Test func `a watcher that is too slow is told how much it missed`() throws {
    let store = try AlertStore(directory: folder.path + "/state")
    let gate = try Waiting<Bool>()
    let journal = Journal()
    let bridge = try AlertBridge(account: BridgeRig.account, store: store, sinks: []) { event in
      _ = try? gate.get()
      journal.put(event)
    }
    defer { bridge.stop() }
    try bridge.start([])
    for n in 0..<40_000 { bridge.devices.events.notice(.info, "\(n)") }
    gate.put(true)
    try journal.wait("the loss is told") {
      journal.notices.last?.hasSuffix(" events went untold: the watcher is too slow") == true
    }
    #expect(journal.notices.first == "0")
    #expect(journal.notices.count < 40_000)
  }
}
