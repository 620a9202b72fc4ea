import AlertCore
import Bridge
import FobBase
import SerialIO
import Sinks
import TestSupport
import Testing
import WireProtocol

@Suite struct DeliveryTests {
  private let folder: ScratchDirectory
  private let device: RawDevice
  private var policy = Policy()

  init() throws {
    folder = try ScratchDirectory()
    device = try RawDevice(in: folder)
    policy.firstRetry = .milliseconds(5)
    policy.maxRetryDelay = .milliseconds(20)
  }

  /// R46.
  @Test func `a sink that refuses is tried again, with the same key, until it accepts`() throws {
    let sink = try RecordingSink(refusals: 5)
    let bridgeRig = try bridgeRig([sink])
    try device.say(EventRecord.press(1))
    try bridgeRig.waitFor(.emergencySent)
    try bridgeRig.journal.wait(.delivered, 2)
    #expect(bridgeRig.journal.count(.deliveryFailed) == 5)
    #expect(sink.tried.count == 7)
    #expect(Set(sink.tried.map(\.key)) == Set(sink.taken.map(\.key)))
    #expect(sink.taken.count == 2)
    let failure = bridgeRig.journal.auditEvents.first { $0.name == .deliveryFailed }
    #expect(failure?.detail == "raise 1: recording sink: not now")
  }

  /// R45.
  @Test func `without an acceptance nothing claims that anyone was told`() throws {
    let bridgeRig = try bridgeRig([])
    try device.say(EventRecord.press(1))
    try bridgeRig.journal.wait(.deliveryFailed, 6)
    #expect(bridgeRig.bridge.status.state == .emergencySending)
    let failure = bridgeRig.journal.auditEvents.first { $0.name == .deliveryFailed }
    #expect(failure?.detail == "raise 1: no notification channel is configured")
  }

  @Test func `the second notification channel is taken at once where the first refuses`() throws {
    var policy = policy
    policy.firstRetry = .seconds(1_000)
    policy.maxRetryDelay = .seconds(1_000)
    let refusing = try RecordingSink("first", refusals: .max)
    let second = try RecordingSink("second")
    let bridgeRig = try BridgeRig(policy: policy, sinks: [refusing, second], in: folder)
    try device.say(EventRecord.press(1))
    try bridgeRig.journal.wait(.delivered, 2)
    #expect(bridgeRig.journal.count(.deliveryFailed) == 2)
    #expect(Set(refusing.tried.map(\.key)) == Set(second.taken.map(\.key)))
    let failure = bridgeRig.journal.auditEvents.first { $0.name == .deliveryFailed }
    #expect(failure?.detail == "raise 1: first sink: not now")
  }

  @Test func `a sink that hangs delays no other`() throws {
    let hanging = try RecordingSink("hanging", isOpen: false, reaching: ["contact-1"])
    let other = try RecordingSink("other", reaching: ["contact-2"])
    defer { hanging.letGo() }
    let bridgeRig = try BridgeRig(policy: policy, sinks: [hanging, other], in: folder)
    try device.say(EventRecord.press(1))
    try bridgeRig.waitFor(.emergencySent)
    try hanging.waitUntilTried()
    #expect(hanging.taken.isEmpty)
    #expect(other.taken.map(\.contact.id) == ["contact-2"])
    #expect(try bridgeRig.perform(.disarm).isDurable)
    try bridgeRig.journal.wait(.delivered, 2)
    #expect(other.taken.map(\.kind) == [.raise, .closing])
  }

  @Test func `receivers that hang, refuse, are slow or lie delay no other and no press`() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length:"
    let bad = [
      "hangs": try BadReceiver(says: ""),
      "fails": try BadReceiver(says: "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"),
      "lies": try BadReceiver(says: "\(head) 9000\r\n\r\nshort"),
      "slow": try BadReceiver(says: "\(head) 0\r\n\r\n", after: .seconds(9)),
    ]
    let good = try RecordingSink("good", reaching: ["contact-1"])
    var account = BridgeRig.account
    account.contacts = [account.contacts[0]]
    var sinks: [any Sink] = []
    for (name, receiver) in bad {
      let sink = try WebhookSink(
        name: name, address: HTTPAddress(receiver.url, field: "url"),
        secret: SinkSecret(String(repeating: "s", count: 32)), isTest: true)
      account.contacts.insert(try #require(sink.channel), at: 0)
      sinks.append(sink)
    }
    let bridgeRig = try BridgeRig(
      account: account, policy: policy, sinks: sinks + [good], in: folder)
    let start = BootClock.now()
    for n: UInt32 in 1...20 {
      try device.say(EventRecord.press(n))
      #expect(try device.hear(EventAck.self).number.n == n)
    }
    try bridgeRig.waitFor(.emergencySent)
    try bridgeRig.journal.wait("each receiver tried") {
      bad.values.allSatisfy { $0.requests > 0 }
    }
    // The slow one would have answered by then, and those that hang or lie would have been left.
    #expect(BootClock.now() - start < .seconds(9))
    #expect(good.taken.first?.kind == .raise)
    try bridgeRig.journal.wait("all that was taken counts as delivered") {
      bridgeRig.journal.count(.delivered) == good.taken.count
    }
  }

  @Test func `a sink carries as many at one time as it is wide`() throws {
    let wide = try RecordingSink("wide", isOpen: false, width: 2)
    let bridgeRig = try BridgeRig(policy: policy, sinks: [wide], in: folder)
    defer { wide.letGo() }
    try device.say(EventRecord.press(1))
    try bridgeRig.journal.wait("two messages on their way") { wide.tried.count == 2 }
    #expect(wide.taken.isEmpty)
  }

  @Test func `a contact that no notification channel reaches is said with the obstacle of each`()
    throws
  {
    let sink = try RecordingSink(reaching: ["contact-2"])
    let bridgeRig = try BridgeRig(policy: policy, sinks: [sink], in: folder)
    try device.say(EventRecord.press(1))
    try bridgeRig.journal.wait(.deliveryFailed, 1)
    let failure = bridgeRig.journal.auditEvents.first { $0.name == .deliveryFailed }
    #expect(
      failure?.detail
        == "raise 1: no notification channel reaches contact-1: recording: is not in reach")
    try bridgeRig.waitFor(.emergencySent)
  }

  @Test func `stopping waits for no sink that keeps its threads`() throws {
    let sink = try RecordingSink(isOpen: false, width: 4)
    defer { sink.letGo() }
    let bridgeRig = try BridgeRig(policy: policy, sinks: [sink], in: folder)
    try device.say(EventRecord.press(1))
    try sink.waitUntilTried()
    let start = BootClock.now()
    bridgeRig.stop()
    #expect(BootClock.now() - start < .seconds(5))
  }

  @Test func `a sink that keeps its thread keeps nobody else waiting`() throws {
    let sink = try RecordingSink(isOpen: false)
    let bridgeRig = try bridgeRig([sink])
    defer { sink.letGo() }
    for n: UInt32 in 1...20 {
      try device.say(EventRecord.press(n))
      #expect(try device.hear(EventAck.self).number.n == n)
    }
    #expect(try bridgeRig.perform(.silence).isDurable)
    #expect(bridgeRig.bridge.status.state == .emergencySending)
  }

  private func bridgeRig(_ sinks: [RecordingSink]) throws -> BridgeRig {
    try BridgeRig(policy: policy, sinks: sinks, in: folder)
  }
}
