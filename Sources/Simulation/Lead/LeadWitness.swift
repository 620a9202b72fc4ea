import AlertCore
import FobBase
import Judge
import WireProtocol

/// Judges a world of two cores from outside: by what keychains, people and the disks have.
struct LeadWitness {
  private(set) var violations: [Violation] = []
  private var presses: [EventIdentity] = []
  private var acked: Set<EventIdentity> = []
  /// The process that was the last to load the store.
  private weak var leader: LeadRun?
  /// The incidents that each contact was told of.
  private var told: [ContactID: Set<IncidentID>] = [:]

  /// How often a core has begun to lead.
  private(set) var leads = 0
  private(set) var messages = 0

  var pressCount: Int { presses.count }

  mutating func pressed(_ identity: EventIdentity) { presses.append(identity) }

  mutating func leads(_ run: LeadRun) {
    leader = run
    leads += 1
  }

  /// A core has sent an ack.
  /// - Parameter standby: what survives the loss of the server's machine.
  mutating func acked(_ identity: EventIdentity, _ standby: LeadServer.Rows, at now: Instant) {
    if !standby.tables.holds(identity) {
      accuse(.ackBeforeCommit, at: now, "an acked press is on one disk at most")
    }
    acked.insert(identity)
  }

  /// A batch has taken its place in the store.
  mutating func committed(by run: LeadRun, at now: Instant) {
    if run !== leader {
      accuse(.twoLeaders, at: now, "a core commits behind the one that has taken over")
    }
  }

  mutating func tells(_ notification: Notification, by run: LeadRun, at now: Instant) {
    if run !== leader, notification.kind != .raise {
      accuse(.wronglyTold, at: now, "\(notification.key): another core has taken over")
    }
    messages += 1
    told[notification.contact.id, default: []].insert(notification.incident)
  }

  /// Everything was well for long enough.
  mutating func finish(_ rows: LeadServer.Rows, contacts: [ContactID], at now: Instant) {
    for identity in presses {
      guard acked.contains(identity) else {
        accuse(.notAckedInTime, at: now, "press \(identity.number) of \(identity.deviceID)")
        continue
      }
      if !rows.tables.holds(identity) { accuse(.pressLost, at: now, "it was acked") }
    }
    for (place, entry) in rows.log.enumerated() where rows.log[..<place].contains(entry) {
      accuse(.pressDoubled, at: now, "the log has an entry twice: \(entry.name.rawValue)")
    }
    guard let open = rows.tables.newest({ $0.state != .noEmergency }) else {
      return accuse(.incidentNotOpened, at: now, "the last press has opened none")
    }
    for contact in contacts where !(told[contact]?.contains(open.id) ?? false) {
      accuse(.nobodyTold, at: now, "\(contact) knows nothing of \(open.id)")
    }
  }

  private mutating func accuse(_ rule: Violation.Rule, at now: Instant, _ detail: String) {
    violations.append(Violation(rule, at: now, detail))
  }
}
