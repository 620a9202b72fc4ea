import Emulator
import FobBase
import SerialIO
import Testing
import WireProtocol

/// The least of a bridge, on a line in memory.
final class DirectHost: Sendable {
  let gone: Journal<GoneReason>
  private let conversation: Conversation
  private let line: MemoryLine

  init(_ keychain: EmulatedKeychain) throws {
    let gone = try Journal<GoneReason>()
    let conversation = try Conversation(acks: true)
    let endpoint = try #require(keychain.endpoint)
    line = endpoint.line(
      ReaderHandlers(
        onBytes: { bytes, _ in conversation.hear(bytes) },
        nextWake: { conversation.nextWake }, onWake: { _ in conversation.say() },
        onGone: { reason in gone.add(reason) }))
    conversation.begin(on: line)
    try line.start()
    self.gone = gone
    self.conversation = conversation
  }

  deinit { close() }

  var reports: Journal<DeviceMessage> { conversation.reports }

  var presses: [EventRecord] {
    reports.all.compactMap { report in
      guard case .event(let record) = report, record.identity.kind == .pressed else { return nil }
      return record
    }
  }

  func close() {
    conversation.end()
    line.stop()
  }

  func linked() throws -> Hello {
    try reports.wait("the device's HELLO") { reports in
      for case .hello(let hello) in reports { return hello }
      return nil
    }
  }

  func press() throws -> EventRecord {
    try reports.wait("a press") { reports in
      for case .event(let record) in reports where record.identity.kind == .pressed {
        return record
      }
      return nil
    }
  }
}
