import AlertCore
import FobBase
import Judge
import WireProtocol

/// Judges a world of moves from outside: by what keychains, contacts and the disk have.
struct MoveWitness {
  /// A press as an incident lists it.
  private struct Press: Hashable {
    let device: String
    let event: String

    init(_ entry: PressEntry) { (device, event) = (entry.device, entry.event) }

    init(_ identity: EventIdentity) {
      (device, event) = (identity.deviceID.text, identity.number.text)
    }
  }

  private(set) var violations: [Violation] = []
  private var presses: [EventIdentity] = []
  private var acked: Set<EventIdentity> = []
  /// The accounts that have heard each as news: no other one had it on the disk then, or when it
  /// claimed the keychain.
  private var heard: [Press: Set<Int>] = [:]
  private var claimedAt: [DeviceID: [Int: Instant]] = [:]
  private var storedAt: [EventIdentity: Instant] = [:]
  /// Presses that were on the disk in some incident.
  private var listed: Set<Press> = []
  /// Whom each account has told of an incident, and of its end.
  private var told: [Int: [IncidentID: Set<ContactID>]] = [:]
  private var closed: [Int: [IncidentID: Set<ContactID>]] = [:]
  /// How many presses have moved, and how many messages there were.
  private(set) var moves = 0
  private(set) var messages = 0

  private var starts = 0

  var pressCount: Int { presses.count }

  mutating func started() { starts += 1 }

  mutating func pressed(_ identity: EventIdentity) { presses.append(identity) }

  mutating func claims(_ device: DeviceID, by account: Int, at now: Instant) {
    claimedAt[device, default: [:]][account] = now
  }

  mutating func heard(_ identity: EventIdentity, by account: Int, _ tables: [Tables]) {
    let isOthers = tables.indices.contains { $0 != account && tables[$0].holds(identity) }
    if isOthers, let storedAt = storedAt[identity],
      claimedAt[identity.deviceID]?[account].map({ $0 >= storedAt }) ?? true
    {
      return
    }
    heard[Press(identity), default: []].insert(account)
  }

  mutating func acked(_ identity: EventIdentity, _ tables: [Tables], at now: Instant) {
    if !tables.contains(where: { $0.holds(identity) }) {
      accuse(.ackBeforeCommit, at: now, "\(identity.text) is on no disk")
    }
    acked.insert(identity)
  }

  mutating func tells(
    _ notification: Notification, by account: Int, _ tables: [Tables], at now: Instant
  ) {
    messages += 1
    let (incident, contact) = (notification.incident, notification.contact.id)
    if notification.kind == .closing {
      // After a restart nobody knows who was told.
      if starts == 1, told[account]?[incident]?.contains(contact) != true {
        accuse(
          .wronglyTold, at: now,
          "account \(account) tells \(contact) of the end of \(incident) alone")
      }
      closed[account, default: [:]][incident, default: []].insert(contact)
    } else {
      told[account, default: [:]][incident, default: []].insert(contact)
      if tables[account].incidents[incident]?.endReason == .moved {
        accuse(.wronglyTold, at: now, "account \(account) tells of \(incident), which has moved")
      }
    }
  }

  // MARK: The disk

  /// A transaction has taken its place on the disk.
  mutating func stored(_ transaction: Disk.Transaction, _ tables: [Tables], at now: Instant) {
    moves += transaction.reduce(0) { $0 + $1.changes.moves.count }
    for event in transaction.flatMap(\.changes.events) {
      storedAt[event.record.identity] = storedAt[event.record.identity] ?? now
    }
    guard transaction.contains(where: { !$0.changes.incidents.isEmpty }) else { return }
    let (live, given) = Self.lists(tables)
    for (press, places) in live where places.count > heard[press, default: []].count {
      accuse(.pressDoubled, at: now, "\(press.event) of \(press.device) is in \(places)")
    }
    for press in listed where live[press] == nil && given[press] == nil {
      accuse(.pressLost, at: now, "\(press.event) of \(press.device) is in no incident any more")
    }
    listed.formUnion(live.keys)
  }

  /// The incidents that list each press and answer for it, and those that have given way: each with
  /// its account.
  private static func lists(
    _ tables: [Tables]
  ) -> (live: [Press: [(account: Int, id: IncidentID)]], given: [Press: IncidentID]) {
    var live: [Press: [(account: Int, id: IncidentID)]] = [:]
    var given: [Press: IncidentID] = [:]
    for (account, rows) in tables.enumerated() {
      for incident in rows.incidents.values where incident.endReason != .moved {
        for entry in incident.presses {
          if incident.endReason == .gaveWay {
            given[Press(entry)] = incident.id
          } else {
            live[Press(entry), default: []].append((account, incident.id))
          }
        }
      }
    }
    return (live, given)
  }

  // MARK: The end

  /// Everything was well for long enough.
  mutating func finish(_ process: MoveProcess, _ tables: [Tables], at now: Instant) {
    for (request, action) in process.asked.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      accuse(.answerMissing, at: now, "request \(request.rawValue): \(action)")
    }
    for (account, core) in process.cores.enumerated() where core.core.hasUncommitted {
      accuse(.timeStandsStill, at: now, "account \(account) waits for a commit")
    }
    let (live, given) = Self.lists(tables)
    for identity in presses {
      guard acked.contains(identity) else {
        accuse(.notAckedInTime, at: now, identity.text)
        continue
      }
      let press = Press(identity)
      let owner = process.owners.index(of: identity.deviceID)
      if let places = live[press] {
        checkOpen(identity, places, owner, process, tables, at: now)
      } else if let past = given[press] {
        checkGiven(identity, past, owner, process, tables, at: now)
      } else {
        accuse(.pressLost, at: now, "\(identity.text) is in no incident")
      }
    }
    checkTold(process, tables, at: now)
  }

  /// A press is open in its owner's account alone, or where people know of it.
  private mutating func checkOpen(
    _ identity: EventIdentity, _ places: [(account: Int, id: IncidentID)], _ owner: Int,
    _ process: MoveProcess, _ tables: [Tables], at now: Instant
  ) {
    let open = places.filter { tables[$0.account].incidents[$0.id]!.state.isOpen }
    if open.count > 1 {
      accuse(.pressDoubled, at: now, "\(identity.text) is open in \(open)")
    }
    for place in open where place.account == owner {
      checkReached(identity, process.cores[owner].core.account, tables, at: now)
    }
    for place in open where place.account != owner {
      guard !stays(identity.deviceID, at: place.account, owner, process) else { continue }
      accuse(
        .wrongOwner, at: now, "\(identity.text) is open in \(place), and account \(owner)'s")
    }
  }

  private func stays(
    _ device: DeviceID, at holder: Int, _ owner: Int, _ process: MoveProcess
  ) -> Bool {
    process.cores[holder].core.isSomebodyTold(of: device)
      && !process.cores[owner].core.canTell(insteadOf: process.cores[holder].core)
  }

  /// Where people knew of a press somebody knows of it after a move.
  private mutating func checkReached(
    _ identity: EventIdentity, _ owner: Account, _ tables: [Tables], at now: Instant
  ) {
    guard owner.contacts.isEmpty || !owner.isLoggedIn else { return }
    let press = Press(identity)
    let wasTold = tables.indices.contains { account in
      tables[account].incidents.values.contains {
        $0.endReason == .moved && told[account]?[$0.id] != nil
          && $0.presses.contains { Press($0) == press }
      }
    }
    if wasTold { accuse(.nobodyTold, at: now, "\(identity.text) has moved to nobody") }
  }

  /// A press of nobody's whose place an owner's alarm has taken moves as long as that is open.
  private mutating func checkGiven(
    _ identity: EventIdentity, _ past: IncidentID, _ owner: Int, _ process: MoveProcess,
    _ tables: [Tables], at now: Instant
  ) {
    guard owner != 0, !stays(identity.deviceID, at: 0, owner, process),
      let ended = tables[0].incidents[past]?.endedAt
    else { return }
    let isHeld = tables[0].incidents.values.contains {
      $0.state.isOpen && !$0.isUnclaimed && $0.openedAt.wall == ended.wall
    }
    guard isHeld else { return }
    accuse(.pressLost, at: now, "\(identity.text) gave way, and account \(owner) has claimed it")
  }

  /// Who is to be told of an open alarm is told; who was told of one that has moved hears so.
  private mutating func checkTold(_ process: MoveProcess, _ tables: [Tables], at now: Instant) {
    for (account, rows) in tables.enumerated() {
      let owner = process.cores[account].core.account
      // The end of one alarm waits while another one is told.
      let isOpen = rows.incidents.values.contains { $0.state.isOpen }
      for incident in rows.incidents.values {
        let told = told[account]?[incident.id] ?? []
        if incident.endReason == .moved, !isOpen {
          let left = told.subtracting(closed[account]?[incident.id] ?? [])
            .intersection(owner.contacts.map(\.id))
          if !left.isEmpty {
            accuse(.endNotTold, at: now, "\(left) of account \(account): \(incident.id) has moved")
          }
        } else if incident.state.isOpen, !incident.isUnclaimed, owner.isLoggedIn,
          incident.trigger == nil
        {
          for contact in owner.contacts where !told.contains(contact.id) {
            accuse(
              .nobodyTold, at: now, "\(contact.id) of account \(account): \(incident.id) is open")
          }
        }
      }
    }
  }

  private mutating func accuse(_ rule: Violation.Rule, at now: Instant, _ detail: String) {
    violations.append(Violation(rule, at: now, detail))
  }
}

extension EventIdentity {
  fileprivate var text: String { "press \(number.text) of \(deviceID.text)" }
}
