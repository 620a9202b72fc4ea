import Firmware
import FobBase
import SerialIO
import Testing
import WireProtocol

/// The least of a bridge: opens the device, keeps the session, notes what it hears, may ack.
final class TestHost: Sendable {
  let gone: Journal<GoneReason>
  private let conversation: Conversation
  private let reader: ReaderLoop

  init(_ path: String, acks: Bool) throws {
    let gone = try Journal<GoneReason>()
    let conversation = try Conversation(acks: acks)
    let line = try SerialLine(path: path)
    reader = try ReaderLoop(
      line.intoDescriptor(), name: "test host",
      handlers: ReaderHandlers(
        onBytes: { bytes, _ in conversation.hear(bytes) },
        nextWake: { conversation.nextWake }, onWake: { _ in conversation.say() },
        onGone: { reason in gone.add(reason) }))
    self.gone = gone
    self.conversation = conversation
    conversation.begin(on: reader)
    try reader.start()
  }

  deinit { close() }

  var reports: Journal<DeviceMessage> { conversation.reports }
  /// The one that it began with.
  var session: UInt32 { conversation.session }

  func close() {
    conversation.end()
    reader.stop()
  }

  /// The first event that fits, whatever else comes.
  func event(
    _ what: String, at location: SourceLocation = #_sourceLocation,
    where isWanted: (EventRecord) -> Bool
  ) throws -> EventRecord {
    try reports.wait(
      what,
      { reports in
        for case .event(let record) in reports where isWanted(record) { return record }
        return nil
      }, at: location)
  }

  func event(
    _ number: EventNumber, at location: SourceLocation = #_sourceLocation
  ) throws -> EventRecord {
    try event("event \(number)", at: location) { $0.identity.number == number }
  }

  func linked(at location: SourceLocation = #_sourceLocation) throws -> Hello {
    try reports.wait(
      "the device's HELLO",
      { reports in
        for case .hello(let hello) in reports { return hello }
        return nil
      }, at: location)
  }
}
