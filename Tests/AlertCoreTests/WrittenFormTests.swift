import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// What a store keeps and a watcher reads: everything as JSON, names as text.
struct WrittenFormTests {
  /// As a program that knows nothing of this one would read it.
  private struct WrittenIncident: Decodable {
    let id: String
    let device: String
    let state: String
    let presses: [WrittenPress]
  }

  private struct WrittenPress: Decodable {
    let event: String
    let device: String
    let covers: Int
    let isAgeUnknown: Bool?
  }

  private struct WrittenMessage: Decodable {
    let key: String
    let incident: String
    let kind: String
    let delivery: String
    let endReason: String?
  }

  private struct WrittenLine: Decodable {
    let at: Timestamp
    let name: String
    let incident: String?
    let device: String?
    let event: String?
    let contact: String?
    let facts: Facts?
    let detail: String?
  }

  private func rewritten<FieldValidation: Decodable>(_ value: some Encodable) throws
    -> FieldValidation
  {
    try JSONDecoder().decode(FieldValidation.self, from: JSONEncoder().encode(value))
  }

  @Test(arguments: UInt64(1)...40)
  func `incidents and messages are read back as they were stored`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bench = CoreBench(.sample(contacts: 3), seed % 2 == 0 ? .withCountdown : Policy())
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(EventRecord.press(1).located(5, age: 0))
    for n: UInt32 in 2...50 { RandomWorkflowTests.step(&bench, n, &random) }
    bench.wakeStore()
    bench.run(for: .minutes(seed % 4 == 0 ? 31 : 1))
    #expect(!bench.store.incidents.isEmpty && !bench.store.notifications.isEmpty)
    for incident in bench.store.incidents.values {
      #expect(try rewritten(incident) == incident)
    }
    for message in bench.store.notifications.values {
      #expect(try rewritten(message) == message)
    }
  }

  @Test func `an account is read back with its contacts, its PIN hash and its places`() throws {
    var account = Account.sample(contacts: 3)
    account.places = [
      Place(name: "the bridge", latitude: 515_007_000, longitude: -1_246_000),
      Place(name: "the pole", latitude: -900_000_000, longitude: 1_800_000_000),
    ]
    #expect(try rewritten(account) == account)
  }

  @Test func `what nobody could place in time is read back as that`() throws {
    var guarded = GuardedBench()
    guarded.deliver(.press(9, boot: 0), isFitted: false)
    guarded.bench.run(for: .seconds(2))
    let incident = try #require(guarded.bench.incident)
    #expect(incident.presses.map(\.isAgeUnknown) == [true])
    #expect(try rewritten(incident) == incident)
  }

  @Test func `an incident is written with its state's name, and its presses as boot and number`()
    throws
  {
    var bench = CoreBench()
    var merged = EventRecord.press(70, boot: 3, device: .bench(7))
    merged.flags = .merged
    merged.firstCovered = EventNumber(boot: 3, n: 64)
    merged.covered = 7
    bench.press(merged)
    let written: WrittenIncident = try rewritten(bench.incident)
    #expect(written.id == merged.incident.description)
    #expect(written.device == "8000000000000007")
    #expect(written.state == "EMERGENCY_SENT")
    #expect(written.presses.map(\.event) == ["3.70"])
    #expect(written.presses.map(\.device) == ["8000000000000007"])
    #expect(written.presses.map(\.covers) == [7])
    #expect(written.presses.map(\.isAgeUnknown) == [nil])
  }

  @Test func `an incident whose keychains an older version wrote as numbers is read`() throws {
    var bench = CoreBench()
    bench.press(.press(1, device: .bench(7)))
    var incident = try #require(bench.incident)
    let device = DeviceID.bench(7).rawValue
    _ = incident.end(
      .disarmed, seen: [SeenEvent(device: device, number: 1, bootNonce: 2)], at: incident.openedAt)
    let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(incident))
    var older = try #require(written as? [String: Any])
    var seen = try #require(older["seenAtDisarm"] as? [[String: Any]])
    #expect(older["device"] as? String == "8000000000000007")
    #expect(seen[0]["device"] as? String == "8000000000000007")
    older["device"] = device
    seen[0]["device"] = device
    older["seenAtDisarm"] = seen
    let read = try JSONDecoder().decode(
      Incident.self, from: JSONSerialization.data(withJSONObject: older))
    #expect(read == incident)
  }

  @Test func `a message is written with the key that its receiver tells repeats by`() throws {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.perform(.disarm)
    let messages: [WrittenMessage] = try bench.deliveries.map { try rewritten($0.notification) }
    let incident = EventRecord.press(1).incident.description
    #expect(messages.map(\.key) == bench.deliveries.map(\.notification.key))
    #expect(messages.map(\.incident) == [incident, incident])
    #expect(messages.map(\.kind) == ["raise", "closing"])
    #expect(messages.map(\.delivery) == ["underWay", "underWay"])
    #expect(messages.map(\.endReason) == [nil, bench.incident?.endReason?.rawValue])
  }

  @Test func `a log entry names what it is about and leaves out the rest`() throws {
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(.press(17, boot: 3))
    func written(_ name: AuditEvent.Name) throws -> WrittenLine {
      try rewritten(try #require(bench.happened(name).first))
    }
    let event = try written(.event)
    #expect(event.at == bench.now && event.name == "event")
    #expect(event.device == "0000000000000b0b" && event.event == "3.17")
    #expect(event.detail == "pressed: alarm")
    #expect(event.facts == bench.happened(.event).first?.facts)
    #expect(event.facts?.words == event.detail)
    #expect(event.incident == nil && event.contact == nil)
    let told = try written(.notified)
    #expect(told.incident == EventRecord.press(17, boot: 3).incident.description)
    #expect(told.contact == "contact-1" && told.detail == "raise 1")
    #expect(told.device == nil && told.event == nil)
    let link = try written(.linkUp)
    #expect(link.device == "0000000000000b0b" && link.event == nil && link.detail == nil)
    #expect(link.facts == nil)
  }

  @Test(arguments: [
    ("3.17", "3"), ("3.17", ""), ("3.17", "3.17.1"), ("3.17", "3.4294967296"), ("3.17", "3.-1"),
    ("3.17", "3. 17"), ("8000000000000007", "7"), ("8000000000000007", "80000000000000070"),
    ("8000000000000007", "800000000000000g"), ("8000000000000007", "800000000000007 "),
  ])
  func `an incident with a name that none can have is refused, with what stands there`(
    _ name: String, _ other: String
  ) throws {
    try expectRefusal(of: name, as: other)
  }

  @Test func `an incident whose own name cannot be read is refused, with what stands there`() throws
  {
    let name = EventRecord.press(17, boot: 3, device: .bench(7)).incident.description
    try expectRefusal(of: name, as: String(name.dropLast()))
  }

  private func expectRefusal(of name: String, as other: String) throws {
    var bench = CoreBench()
    bench.press(.press(17, boot: 3, device: .bench(7)))
    let incident = try #require(bench.incident)
    let whole = String(decoding: try JSONEncoder().encode(incident), as: UTF8.self)
    let damaged = whole.replacing("\"\(name)\"", with: "\"\(other)\"")
    #expect(damaged != whole)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Incident.self, from: Data(damaged.utf8))
    }
    var said: String?
    if case .dataCorrupted(let context) = error { said = context.debugDescription }
    #expect(said?.hasSuffix(": " + other) == true)
  }
}
