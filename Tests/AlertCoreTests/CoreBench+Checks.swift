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

  func check(_ effect: CoreEffect) {
    switch effect {
    case .ack(_, let ack):
      #expect(store.acks.contains(ack), "an ack before its commit")
    case .deliver(let notification):
      if notification.kind == .raise, notification.attempts == 1, restarts == 0 {
        #expect(
          now.since(notification.decidedAt) <= policy.tellLatest, "people are told too late")
      }
      if notification.kind == .closing {
        #expect(
          hasDelivered(to: notification.contact.id, of: notification.incident),
          "a closing message to somebody who was never told")
      }
    case .indicate(let shown, _): check(shown)
    case .tell(let happening) where happening.name == .stateChanged:
      #expect(Self.graph.contains(happening.detail ?? ""), "R40")
    default: break
    }
  }

  private func check(_ shown: Indication) {
    guard shown.state == .accepted || shown.state == .acknowledged else { return }
    #expect(acceptedIncidents.contains(shown.incident), "accepted before any sink accepted")
    #expect(handed.isSubset(of: store.identities), "accepted while a press is not durable")
  }

  /// Rule "no press lost": a press opens an incident exactly where none was open.
  /// In profile `guarded` meaning comes with time: `GuardedTests` check that.
  func checkIncidents(openedBy input: CoreInput, before: Incident?, _ effects: [CoreEffect]) {
    guard policy.profile == .literal else { return }
    var opened = 0
    var joined = 0
    for case .tell(let happening) in effects {
      if happening.name == .incidentOpened { opened += 1 }
      if happening.name == .pressJoined { joined += 1 }
    }
    let identity: EventIdentity
    switch input {
    case .event(_, let record, _): identity = record.identity
    case .barePress(_, let bare): identity = bare
    default:
      #expect(opened + joined == 0, "only an event opens an incident")
      return
    }
    let isNew = effects.contains {
      guard case .tell(let happening) = $0 else { return false }
      return happening.name == .event
    }
    let open = before.flatMap { $0.state.isOpen ? $0 : nil }
    let isTakenIn = open.map { !$0.isBench || identity.deviceID.isBench } ?? false
    #expect(opened + joined == (isNew && identity.kind == .pressed && !isTakenIn ? 1 : 0))
  }

  func hasDelivered(to contact: ContactID, of incident: IncidentID) -> Bool {
    deliveries.contains {
      $0.notification.contact.id == contact && $0.notification.incident == incident
        && $0.notification.kind != .closing
    }
  }
}

extension CoreBench {
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

  func happened(_ name: Happening.Name) -> [Happening] { happenings.filter { $0.name == name } }

  /// Seconds since `start` of each delivery.
  func seconds(of deliveries: [Delivery], since start: Moment) -> [Double] {
    deliveries.map { Double($0.at.since(start).microseconds) / 1_000_000 }
  }
}
