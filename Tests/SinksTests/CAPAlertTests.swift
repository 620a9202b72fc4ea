import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Sinks

/// What the Common Alerting Protocol 1.2 is told, in which `CAPReaderTests` hold its form.
@Suite struct CAPAlertTests {
  @Test func `the first message is an alert, and each further one takes the place of those before`()
  {
    let first = CAPAlert(.cap(.raise))
    #expect(first.identifier == "\(first.incident).1" && first.earlier.isEmpty)
    #expect(first.xml.contains("<msgType>Alert</msgType>") && !first.xml.contains("references"))
    let third = CAPAlert(.cap(.again, sequence: 3)).xml
    #expect(third.contains("<msgType>Update</msgType>"))
    let device = DeviceID.bench(1).text
    let references = [(1, "04:48"), (2, "04:49")].map { sequence, time in
      "fob-\(device),\(first.incident).\(sequence),2026-01-15T\(time):00-00:00"
    }
    #expect(
      third.contains("<references>\(references.joined(separator: " "))</references>"), "\(third)")
    #expect(third.contains("<sent>2026-01-15T04:50:00-00:00</sent>"))
  }

  @Test func `two contacts have the same message by the same name, each in their language`() {
    let german = CAPAlert(.cap(.raise, language: "de-AT", contact: "contact-2"))
    let english = CAPAlert(.cap(.raise))
    #expect(german.identifier == english.identifier && german.sent == english.sent)
    #expect(german.language == "de" && german.event == "Persönlicher Alarm")
    #expect(CAPAlert(.cap(.raise, language: "xx")).language == "en", "the phrases are English")
  }

  @Test func `nothing is claimed that is not known`() {
    func assessed(_ message: OutgoingMessage) -> [String?] {
      let said = CAPAlert(message).assessment
      return [said.responseType, said.urgency, said.severity, said.certainty]
    }
    #expect(assessed(.cap(.raise)) == ["Assess", "Immediate", "Severe", "Observed"])
    #expect(
      assessed(.cap(.raise, isUnproved: true)) == ["Assess", "Immediate", "Unknown", "Unknown"])
    for trigger in Trigger.Source.allCases {
      #expect(
        assessed(.cap(.raise, trigger: trigger)) == ["Assess", "Immediate", "Unknown", "Possible"])
      #expect(
        assessed(.cap(.update, trigger: trigger, isPressed: true))
          == ["Assess", "Immediate", "Severe", "Observed"])
    }
    for reason in EndReason.allCases {
      let isClear = reason == .disarmed || reason == .cancelled
      #expect(
        assessed(.cap(.closing, ended: reason))
          == (isClear
            ? ["AllClear", "Past", "Minor", "Observed"]
            : ["Assess", "Expected", "Unknown", "Unknown"]),
        "\(reason)")
    }
  }

  @Test func `a bench keychain's alerts are tests, and those of others are not`() {
    #expect(CAPAlert(.cap(.raise)).xml.contains("<status>Test</status>"))
    #expect(CAPAlert(.cap(.raise, device: .live)).xml.contains("<status>Actual</status>"))
  }

  @Test func `the place is a circle as wide as its accuracy, and none where it is not known`() {
    var position = Position.observatory
    func circle() -> Substring? {
      CAPAlert(.cap(.raise, at: position)).xml.firstMatch(of: /<circle>(.*)<\/circle>/)?.output.1
    }
    #expect(circle() == "51.4778000,-0.0015000 0", "its accuracy is not known")
    for (decimetres, km) in [(UInt16(0), "0.0000"), (35, "0.0035"), (65_534, "6.5534")] {
      position.accuracy = decimetres
      #expect(circle() == "51.4778000,-0.0015000 \(km)")
    }
    let unknown = CAPAlert(.cap(.raise, at: nil)).xml
    #expect(
      unknown.contains("<areaDesc>The location is not known. ") && !unknown.contains("circle"))
    #expect(!CAPAlert(.cap(.closing, ended: .disarmed)).xml.contains("<area>"))
  }

  @Test func `an incident's document is of its state, and has nobody's name`() {
    var incident = Incident.cap()
    func alert(_ now: Timestamp = .evening + .minutes(9)) -> CAPAlert {
      CAPAlert(
        incident, revision: "state-7-0", messages: incident.messageTimes, changed: now.wall,
        account: .owner, now: now)
    }
    incident.phase = .open(.countdown(ends: .evening + .minutes(2)))
    #expect(alert().assessment.urgency == "Expected" && alert().earlier.isEmpty)
    incident.phase = .open(.sending(Stage.Sending(since: .evening)))
    incident.decided(1, at: .evening)
    incident.messages = 1
    incident.told = ["contact-1"]
    incident.acknowledgedBy = ["contact-1"]
    incident.lastPosition = .observatory
    let open = alert()
    #expect(open.identifier == "\(incident.id).state-7-0" && open.addresses == ["contact-1"])
    #expect(open.earlier.map(\.sequence) == [1] && open.xml.contains("<msgType>Update</msgType>"))
    #expect(open.parameters.contains(.init("acknowledgedBy", "contact-1")))
    #expect(
      open.description == """
        Pressed at 11:47pm EST. Last known location was near the Royal Observatory. 51.4778000, \
        -0.0015000 at 11:47pm EST. Map: geo:51.4778000,-0.0015000
        """)
    _ = incident.end(.disarmed, at: .evening + .minutes(8))
    let over = alert()
    #expect(over.headline == "BENCH TEST: ALL CLEAR" && over.assessment.responseType == "AllClear")
    #expect(over.description.hasSuffix(" Ended at 11:55pm EST."))
    for alert in [open, over] { #expect(!alert.xml.contains("Owner")) }
  }

  @Test func `an incident whose alarm has moved is told as handed over, and not as ended`() {
    let incident = Incident.cap(sequence: 2, ended: .moved)
    let read = CAPAlert(
      incident, revision: "r1", messages: incident.messageTimes,
      changed: Timestamp.evening.wall, account: .owner, now: .evening)
    #expect(read.headline == "BENCH TEST: The alarm was handed over to another account")
    #expect(
      read.description.contains(
        "is another account's since 11:49pm EST. The alarm went on there: nobody had switched it"
          + " off. Whether it has ended since is not known here."))
    #expect(!read.description.contains("Ended at"))
    let told = CAPAlert(.cap(.closing, sequence: 2, ended: .moved))
    #expect(told.headline == read.headline)
    for alert in [read, told] {
      #expect(alert.xml.contains("<msgType>Update</msgType>"))
      #expect(alert.assessment == .ofEnd(isClear: false))
    }
  }
}

extension Incident {
  /// Opened in the evening; its messages were decided a minute each after that.
  static func cap(
    sequence: Int = 1, trigger: Trigger.Source? = nil, question: UnansweredCheckIn? = nil,
    isPressed: Bool = false, ended: EndReason? = nil, aliases: Int = 0, device: DeviceID = .bench(1)
  ) -> Incident {
    func name(_ n: Int) -> IncidentID {
      IncidentID(
        EventIdentity(
          deviceID: device, number: EventNumber(boot: 1, n: UInt32(n)), kind: .pressed, clock: 1,
          bootNonce: 1))
    }
    var incident = Incident(
      name(1), of: device, .open(.sending(Stage.Sending(since: .evening))), trigger: trigger,
      at: .evening)
    incident.question = question
    if isPressed { incident.lastPressAt = .evening }
    if let ended { _ = incident.end(ended, at: .evening + .minutes(Int64(sequence))) }
    incident.aliases = (0..<aliases).map { name($0 + 2) }
    for number in 1..<max(sequence, 1) {
      incident.decided(number, at: .evening + .minutes(Int64(number)))
    }
    return incident
  }
}

extension OutgoingMessage {
  /// To one contact, decided as many minutes after the evening as its number says.
  static func cap(
    _ kind: Notification.Kind, at position: Position? = .observatory, sequence: Int = 1,
    trigger: Trigger.Source? = nil, question: UnansweredCheckIn? = nil, isPressed: Bool = false,
    isUnproved: Bool = false, ended: EndReason? = nil, aliases: Int = 0, language: String? = nil,
    contact: String = "contact-1", account: Account = .owner, device: DeviceID = .bench(1)
  ) -> OutgoingMessage {
    let incident = Incident.cap(
      sequence: sequence, trigger: trigger, question: question, isPressed: isPressed,
      ended: ended, aliases: aliases, device: device)
    var notification = Notification(
      kind, to: Contact(id: contact, name: contact, language: language), of: incident,
      sequence: sequence, position: kind == .closing ? nil : position,
      at: .evening + .minutes(Int64(sequence)))
    notification.context.isUnproved = isUnproved
    return OutgoingMessage(
      notification, account: account, acknowledgeURL: "https://example.org/ack/0?a=1&b=2",
      now: .evening)
  }
}
