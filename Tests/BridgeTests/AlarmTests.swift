import Bridge
import Emulator
import FobBase
import Sinks
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// From the finger to the contacts and back to the light, with the real firmware on a real pty.
@Suite final class AlarmTests {
  private let folder: ScratchDirectory
  private let keychain: EmulatedKeychain
  private let sink: RecordingSink
  private let bridgeRig: BridgeRig

  init() throws {
    folder = try ScratchDirectory()
    keychain = try EmulatedKeychain.started(
      in: folder, gps: .stationary(latitude: 514_778_000, longitude: -15_000))
    sink = try RecordingSink()
    bridgeRig = try BridgeRig(sinks: [sink], in: folder)
  }

  deinit { keychain.stop() }

  /// R35, R40, R45.
  @Test func `a press is committed, acked, told to everyone, and then the light says so`() throws {
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    try bridgeRig.journal.wait(.delivered, 2)
    try bridgeRig.journal.waitForLight(.accepted)
    let incident = try #require(bridgeRig.bridge.status.incident)
    #expect(incident.state == .emergencySent)
    #expect(try bridgeRig.store.incidents().map(\.id) == [incident.id])
    #expect(
      try bridgeRig.store.presses() == [
        StoredPress(
          device: "8000000000000001", event: number.text, incident: incident.id.description)
      ])
    #expect(sink.taken.map(\.kind) == [.raise, .raise])
    #expect(sink.taken.map(\.contact.id).sorted() == ["contact-1", "contact-2"])
    #expect(sink.taken.allSatisfy { $0.isBench })
    #expect(bridgeRig.journal.count(.incidentOpened) == 1)
    let durable = bridgeRig.journal.auditEvents.firstIndex { $0.name == .committed }
    #expect(durable != nil)
  }

  /// R8, R38, R47.
  @Test func `a wrong PIN changes nothing, the right one ends it, resume is idle again`() throws {
    _ = try keychain.press()
    try bridgeRig.waitFor(.emergencySent)
    for wrong in ["1357", "", "24680"] {
      let answer = try bridgeRig.disarm(wrong)
      #expect(answer.refusal == .wrongPIN)
      #expect(answer.state == .emergencySent)
    }
    try bridgeRig.journal.wait(.wrongPIN, 3)
    let disarmed = try bridgeRig.disarm(BridgeRig.pin.description)
    #expect(disarmed == Answer(state: .emergencyEnded, refusal: nil, isDurable: true))
    try bridgeRig.journal.waitForLight(.ended)
    try bridgeRig.journal.wait(.delivered, 4)
    #expect(sink.taken.suffix(2).map(\.kind) == [.closing, .closing])
    let resumed = try bridgeRig.perform(.resume)
    #expect(resumed == Answer(state: .noEmergency, refusal: nil, isDurable: true))
    try bridgeRig.journal.waitForLight(.idle)
    #expect(try bridgeRig.store.incidents().map(\.endReason) == [.disarmed])
  }

  /// A log only grows: whoever guesses on fills no disk.
  @Test func `who must wait for too many wrong PINs is logged once, however often they try`() throws
  {
    _ = try keychain.press()
    try bridgeRig.waitFor(.emergencySent)
    let tries = try (0..<105).map { _ in try bridgeRig.disarm("1357").refusal }
    #expect(tries.prefix(5).allSatisfy { $0 == .wrongPIN })
    #expect(tries.dropFirst(5).allSatisfy { $0 == .pinBlocked })
    try bridgeRig.journal.wait(.wrongPIN, 5)
    _ = try bridgeRig.perform(.silence)
    try bridgeRig.journal.wait(.silenced)
    #expect(bridgeRig.journal.count(.pinBlocked) == 1)
  }

  /// G18.
  @Test func `a further press is an entry of the same incident, told as an update`() throws {
    let numbers = try [keychain.press(), keychain.press(), keychain.press()]
    for number in numbers { try keychain.wait(for: .acked(number)) }
    try bridgeRig.journal.wait(.pressAdded, 2)
    #expect(bridgeRig.bridge.status.incident?.presses.map(\.event) == numbers.map(\.text))
    #expect(try bridgeRig.store.presses().map(\.event) == numbers.map(\.text))
    #expect(bridgeRig.journal.count(.incidentOpened) == 1)
    try bridgeRig.journal.wait("the last update is told") {
      sink.taken.contains { $0.kind == .update && $0.sequence == 3 }
    }
  }

  /// R54.
  @Test func `after a resume the next press opens the next incident`() throws {
    for round in 1...2 {
      let number = try keychain.press()
      try keychain.wait(for: .acked(number))
      try bridgeRig.waitFor(.emergencySent)
      try bridgeRig.journal.wait(.incidentOpened, round)
      #expect(try bridgeRig.disarm(BridgeRig.pin.description).refusal == nil)
      #expect(try bridgeRig.perform(.resume).refusal == nil)
    }
    #expect(try bridgeRig.store.incidents().count == 2)
  }

  @Test func `the message carries the position that the keychain knows`() throws {
    try bridgeRig.journal.wait("a position") {
      bridgeRig.journal.all.contains { if case .located = $0 { true } else { false } }
    }
    _ = try keychain.press()
    try bridgeRig.journal.wait(.delivered, 2)
    #expect(sink.taken[0].text.contains("Last known location was 51.4778000, -0.0015000 at "))
  }

  @Test func `the stages of a press are told in the order in which they were`() throws {
    // The clock is fitted a moment after the link is up: the second press has it surely.
    _ = try keychain.press()
    try bridgeRig.journal.waitForLight(.accepted)
    let number = try keychain.press()
    try bridgeRig.journal.wait("all stamps of the second press") {
      bridgeRig.journal.stages.contains { $0.event == number.text && $0.acked != nil }
    }
    let stages = try #require(bridgeRig.journal.stages.last { $0.event == number.text })
    let doubt = try #require(stages.uncertainty)
    let device = [stages.edge, stages.stored, stages.written, stages.acked].compactMap(\.self)
    #expect(device.count == 4)
    #expect(device == device.sorted())
    let host = [stages.read, stages.decided, stages.durable].compactMap(\.self)
    #expect(host.count == 3)
    #expect(host == host.sorted())
    #expect(device[1] <= host[0] + doubt)
    #expect(host[2] <= device[3] + doubt)
  }

  @Test func `whoever is answered may ask on`() throws {
    let bridge = bridgeRig.bridge
    let waiting = try Waiting<Answer>()
    bridge.perform(.silence) { first in
      _ = bridge.status
      bridge.perform(.resume) { waiting.put($0) }
      #expect(first.refusal == .nothingOpen)
    }
    #expect(try waiting.get().refusal == .nothingEnded)
  }
}
