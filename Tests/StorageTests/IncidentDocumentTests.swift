import Storage
import Testing
import WireProtocol

@testable import AlertCore

@Suite struct IncidentDocumentTests {
  private let store: AlertStore
  private let folder: StateFolder
  private let id = IncidentID(EventRecord.press(1).identity)

  init() throws {
    folder = try StateFolder()
    store = try folder.store()
  }

  /// Pressed twice, the first a merged record; told in three tries, by two notification channels;
  /// acknowledged.
  private func fill() throws {
    var incident = Incident.full(1)
    incident.presses = [
      PressEntry(of: EventRecord.merged(1).identity, receivedAt: .second(10), covers: 17)
    ]
    var changes = Changes.of(incidents: [incident], notifications: [.sample(.due, of: incident)])
    changes.events = [
      HeardEvent(.merged(1), at: .second(10), happenedAt: 5...9, meaning: .alarm, of: id),
      HeardEvent(.press(2), of: id), HeardEvent(.press(3)),
    ]
    changes.track = [TrackPoint(incident: id, at: .second(18), position: .sample)]
    var notification = Notification.sample(.due, of: incident)
    changes.log = [note(.notified, 11, notification.facts(nil, by: "push"))]
    notification.nextAttempt = .second(13)
    changes.log.append(note(.deliveryFailed, 12, notification.facts("no answer", by: "push")))
    changes.log.append(note(.delivered, 13, notification.facts(nil, by: "sms")))
    changes.log.append(
      note(.delivered, 14, Notification.sample(.due, of: incident, sequence: 12).facts(nil)))
    var acknowledged = note(.acknowledged, 15)
    acknowledged.who = Contact.first.id
    changes.log.append(acknowledged)
    try store.commit(changes)
    try store.commit(.of([.press(4)], incidents: [.sample(4, .emergencySent, openedAt: 5)]))
  }

  private func note(
    _ name: AuditEvent.Name, _ second: Int64, _ outcome: Notification.Outcome? = nil
  ) -> AuditEvent {
    var auditEvent =
      outcome.map { AuditEvent(name, at: .second(second), $0) }
      ?? AuditEvent(name, at: .second(second))
    auditEvent.incident = id
    auditEvent.contact = Contact.first.id
    return auditEvent
  }

  /// R61, R104.
  @Test func `a document has the presses, every attempt, who acknowledged, the track and the log`()
    throws
  {
    try fill()
    let document = try #require(try store.document(of: id))
    #expect(document.presses.map(\.event) == ["1.1", "1.2"])
    #expect(document.presses[0].covers == 17)
    #expect(document.presses[0].record?.millivolts == 3_712)
    #expect(document.presses[0].record?.happenedAt == 7)
    #expect(document.presses[1].record?.latitude == nil)
    let steps = try #require(document.notifications.first).steps
    #expect(steps.map(\.result) == ["notified", "deliveryFailed", "delivered"])
    #expect(steps.map(\.sink) == ["push", "push", "sms"])
    #expect(steps.map(\.next?.wall) == [nil, Timestamp.second(13).wall, nil])
    #expect(steps.map(\.line) == [1, 2, 3])
    #expect(
      steps.map(\.facts)
        == [nil, "no answer", nil].map {
          Facts(.message(Reason.Message(kind: .raise, sequence: 1, attempt: 2, error: $0)))
        })
    #expect(document.notifications[0].contact == "contact-1")
    #expect(document.acknowledgements.map(\.who) == ["contact-1"])
    #expect(document.track.map(\.latitude) == [514_778_000])
    #expect(document.survey.opened)
    #expect(document.log.map(\.id) == [1, 2, 3, 4, 5])
    #expect(document.endReason == .trackingOver)
  }

  @Test func `times stand in it twice, in microseconds and as RFC 3339 has them`() throws {
    try fill()
    let document = try #require(try store.document(of: id))
    #expect(document.opened == WallTime(1_768_452_430_000_000))
    #expect(document.opened.time == "2026-01-15T04:47:10.000000Z")
    #expect(WallTime(1).time == "1970-01-01T00:00:00.000001Z")
    #expect(WallTime(-1).time == "1969-12-31T23:59:59.999999Z")
    #expect(WallTime(.max).wall == .max)
    #expect(WallTime(.min).wall == .min)
  }

  @Test func `it is the same JSON each time, in the order of its keys, with nobody's name`() throws
  {
    try fill()
    let text = try #require(try store.document(of: id)).json()
    #expect(try store.document(of: id)?.json() == text)
    #expect(!text.contains("\n"))
    #expect(!text.contains("example.org"))
    #expect(!text.contains("Contact 1"))
    #expect(text.hasPrefix(#"{"acknowledgedBy":["contact-1"],"acknowledgements":[{"at":{"time":"#))
    #expect(text.contains(#""format":"fob-incident""#))
  }

  @Test func `a press that is proved after it was stored is proved in its document`() throws {
    let press = EventRecord.press(1).identity
    var incident = Incident.full(1)
    incident.presses = [false, false, true].map {
      PressEntry(of: press, receivedAt: .second(10), covers: 1, isProved: $0)
    }
    try store.commit(.of(incidents: [incident]))
    var changes = Changes.of(incidents: [incident])
    let place = changes.changedIncidents[0].prove(press)
    changes.proofs = [ProvedPress(incident: id, place: try #require(place))]
    try store.commit(changes)
    #expect(try store.document(of: id)?.presses.map(\.isProved) == [true, false, true])
    #expect(try store.incident(id)?.presses == changes.changedIncidents[0].presses)
  }

  @Test func `an incident that is not there has no document`() throws {
    try fill()
    #expect(try store.document(of: IncidentID(EventRecord.press(9).identity)) == nil)
  }
}
