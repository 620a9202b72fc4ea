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
    policy.longestRetry = .milliseconds(20)
  }

  @Test func `a sink that refuses is tried again, with the same key, until it accepts`() throws {
    let sink = try RecordingSink(refusals: 5)
    let station = try station([sink])
    try device.say(EventRecord.press(1))
    try station.waitFor(.emergencySent)
    try station.journal.wait(.delivered, 2)
    #expect(station.journal.count(.deliveryFailed) == 5)
    #expect(sink.tried.count == 7)
    #expect(Set(sink.tried.map(\.key)) == Set(sink.taken.map(\.key)))
    #expect(sink.taken.count == 2)
    let failure = station.journal.happenings.first { $0.name == .deliveryFailed }
    #expect(failure?.detail == "raise 1: recording sink: not now")
  }

  @Test func `without an acceptance nothing claims that anyone was told`() throws {
    let station = try station([])
    try device.say(EventRecord.press(1))
    try station.journal.wait(.deliveryFailed, 6)
    #expect(station.bridge.status.state == .emergencySending)
    let failure = station.journal.happenings.first { $0.name == .deliveryFailed }
    #expect(failure?.detail == "raise 1: no way out is configured")
  }

  @Test func `the second way out is taken where the first refuses`() throws {
    let refusing = try RecordingSink("first", refusals: .max)
    let second = try RecordingSink("second")
    let station = try station([refusing, second])
    try device.say(EventRecord.press(1))
    try station.journal.wait(.delivered, 2)
    #expect(station.journal.count(.deliveryFailed) == 0)
    #expect(refusing.tried == second.taken)
  }

  @Test func `a sink that keeps its thread keeps nobody else waiting`() throws {
    let sink = try RecordingSink(isOpen: false)
    let station = try station([sink])
    defer { sink.letGo() }
    for n: UInt32 in 1...20 {
      try device.say(EventRecord.press(n))
      #expect(try device.hear(EventAck.self).number.n == n)
    }
    #expect(try station.perform(.silence).isDurable)
    #expect(station.bridge.status.state == .emergencySending)
  }

  private func station(_ sinks: [RecordingSink]) throws -> Station {
    try Station(policy: policy, sinks: sinks, in: folder)
  }
}
