import AlertCore
import FobBase
import Testing
import WireProtocol

/// What holds at every effect, whatever the store, the sinks and the restarts do.
extension CoreBench {
  /// R40 with G4, written down a second time.
  static let graph: Set<String> = [
    "NO_EMERGENCY → ALERT_COUNTDOWN", "NO_EMERGENCY → EMERGENCY_SENDING",
    "ALERT_COUNTDOWN → EMERGENCY_SENDING", "ALERT_COUNTDOWN → EMERGENCY_ENDED",
    "EMERGENCY_SENDING → EMERGENCY_SENT", "EMERGENCY_SENDING → EMERGENCY_SENDING_FAILED",
    "EMERGENCY_SENDING → EMERGENCY_ENDED", "EMERGENCY_SENT → EMERGENCY_ENDED",
    "EMERGENCY_SENDING_FAILED → EMERGENCY_SENT", "EMERGENCY_SENDING_FAILED → EMERGENCY_ENDED",
    "EMERGENCY_ENDED → NO_EMERGENCY",
  ]

  func check(_ notification: Notification) {
    if notification.kind == .raise, notification.attempts == 1, restarts == 0 {
      #expect(now.since(notification.decidedAt) <= policy.tellLatest, "people are told too late")
    }
    #expect(
      store.incidents[notification.incident]?.isUnclaimed != true
        && (incident?.id != notification.incident || incident?.isUnclaimed == false),
      "G5: an incident of an unclaimed keychain is told to nobody")
    checkWords(of: notification)
    if notification.kind == .closing {
      #expect(
        restarts > 0 || hasDelivered(to: notification.contact.id, of: notification.incident),
        "a closing message to somebody who was never told")
    }
  }

  /// R124: a message tells of a press exactly where one was made, and of a place only where the
  /// account allows it.
  private func checkWords(of notification: Notification) {
    guard let incident, incident.id == notification.incident else { return }
    let isPressed = incident.trigger == nil || !incident.presses.isEmpty
    #expect(notification.trigger == incident.trigger)
    #expect(notification.pressedAt == nil || isPressed, "a press that nobody made")
    if notification.kind == .update { #expect(notification.pressedAt != nil) }
    if !core.account.mayLocate {
      #expect(notification.position == nil && incident.lastPosition == nil)
    }
  }

  /// No view may say that all is well while an alarm is open, or somebody could not be told.
  func checkSummary() {
    let status = core.status(at: now)
    guard status.summary == "All good!" else { return }
    #expect(status.state == .noEmergency && status.unreachable.isEmpty)
    #expect(status.account.isLoggedIn && status.account.isProtecting && status.contacts > 0)
    #expect(status.lines.allSatisfy { $0.level == .good })
  }

  func check(_ shown: Indication, to links: [LinkID]?) {
    guard shown.state == .accepted || shown.state == .acknowledged else { return }
    let strangers = (links ?? Array(linked.keys)).filter(isAnonymous)
    #expect(strangers.isEmpty, "G5: accepted is shown to a unclaimed keychain")
    #expect(acceptedIncidents.contains(shown.incident), "accepted before any sink accepted")
    #expect(handed.isSubset(of: store.identities), "accepted while a press is not durable")
  }

  /// Rule "no press lost": a press opens an incident exactly where none was open.
  /// In profile `guarded` meaning comes with time: `GuardedTests` check that.
  func checkIncidents(openedBy input: CoreInput, before: Incident?, _ output: CoreOutput) {
    guard policy.profile == .literal else { return }
    let opened = output.events.count { $0.name == .incidentOpened }
    let joined = output.events.count { $0.name == .pressJoined }
    let identity: EventIdentity
    switch input {
    case .event(_, let record, _): identity = record.identity
    case .barePress(_, let bare), .unprovedPress(_, let bare): identity = bare
    case .userCommand(_, .trigger, _), .userCommand(_, .change(.claim, _), _), .movedHere:
      #expect(opened <= 1 && joined == 0)
      return
    default:
      let escalated = output.events.count { $0.name == .checkInEscalated }
      #expect(opened + joined == escalated, "nothing else opens an incident")
      return
    }
    let isNew = output.events.contains { $0.name == .event }
    let open = before.flatMap { $0.state.isOpen ? $0 : nil }
    let isTakenIn = open.map { !givesWay($0, to: identity.deviceID) } ?? false
    #expect(opened + joined == (isNew && identity.kind == .pressed && !isTakenIn ? 1 : 0))
  }

  /// A bench incident to a live press, one of an unclaimed keychain to one of the account.
  private func givesWay(_ incident: Incident, to device: DeviceID) -> Bool {
    let isUnclaimed = incident.isUnclaimed && isOwned(device)
    return incident.isBench ? !device.isBench || isUnclaimed : !device.isBench && isUnclaimed
  }

  func hasDelivered(to contact: ContactID, of incident: IncidentID) -> Bool {
    deliveries.contains {
      $0.notification.contact.id == contact && $0.notification.incident == incident
        && $0.notification.kind != .closing
    }
  }
}

extension CoreBench {
  /// As the account says it, whatever the core makes of it.
  func isOwned(_ device: DeviceID) -> Bool {
    let account = core.account
    guard !account.name.isEmpty, account.isLoggedIn else { return false }
    return account.devices?.contains(device.text) ?? true
  }

  func isAnonymous(_ link: LinkID) -> Bool { linked[link].map { !isOwned($0) } ?? false }

  var state: EmergencyState { core.status(at: now).state }
  var incident: Incident? { core.status(at: now).incident }

  func isAcked(_ record: EventRecord) -> Bool { acks.contains(EventAck(record.identity)) }

  func ackCount(_ record: EventRecord) -> Int {
    acks.filter { $0 == EventAck(record.identity) }.count
  }

  func deliveries(
    _ kind: Notification.Kind? = nil, to contact: ContactID? = nil
  ) -> [Delivery] {
    deliveries.filter {
      (kind == nil || $0.notification.kind == kind)
        && (contact == nil || $0.notification.contact.id == contact)
    }
  }

  func happened(_ name: AuditEvent.Name) -> [AuditEvent] { auditEvents.filter { $0.name == name } }

  /// Seconds since `start` of each delivery.
  func seconds(of deliveries: [Delivery], since start: Timestamp) -> [Double] {
    deliveries.map { Double($0.at.since(start).microseconds) / 1_000_000 }
  }
}
