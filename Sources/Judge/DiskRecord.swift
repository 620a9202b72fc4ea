import FobBase
import WireProtocol

/// The contents of a host's disk: everything that it was given and has not lost.
struct DiskRecord: Sendable {
  struct Entry: Sendable {
    var event: Event
    var incident: UInt64
    var isOpen: Bool
    var storedAt: Instant
  }

  private struct Ack: Hashable {
    let number: EventNumber
    let identityCRC: UInt32

    init(_ number: EventNumber, _ identityCRC: UInt32) {
      self.number = number
      self.identityCRC = identityCRC
    }

    init(_ identity: EventIdentity) { self.init(identity.number, identity.crc) }
  }

  struct Row: Sendable {
    var state: Workflow
    var presses: [EventNumber]
    var acknowledgedBy: Set<Int> = []
    /// When it was last written, as a position in the order of the host's observations.
    var order: Int
  }

  private(set) var entries: [EventIdentity: Entry] = [:]
  /// How many entries each ack would fit.
  private var acks: [Ack: Int] = [:]
  /// Acks of lost entries.
  private var lostAcks: Set<Ack> = []
  private(set) var rows: [UInt64: Row] = [:]
  /// The account as last written; nil: never.
  private(set) var account: AccountState?
  private(set) var accountOrder = 0
  /// How often each press is listed, over all incidents.
  private var listed: [EventNumber: Int] = [:]
  /// How many presses have an open meaning.
  private(set) var openPresses = 0
  /// It lied: what it really holds is known only when a core starts on it.
  private(set) var isUnsure = false
  private(set) var lastLie = 0

  /// - Returns: false where it already has this event.
  mutating func add(_ entry: Batch.Entry, at now: Instant) -> Bool {
    let new = Entry(
      event: entry.event, incident: entry.incident, isOpen: entry.isOpen, storedAt: now)
    guard entries[entry.event.identity] == nil else { return false }
    entries[entry.event.identity] = new
    acks[Ack(entry.event.identity), default: 0] += 1
    if entry.isOpen, entry.event.isPress { openPresses += 1 }
    return true
  }

  mutating func put(_ account: AccountState, order: Int) {
    self.account = account
    accountOrder = order
  }

  func hasEntry(_ number: EventNumber, _ identityCRC: UInt32) -> Bool {
    (acks[Ack(number, identityCRC)] ?? 0) > 0
  }

  func hasLost(_ number: EventNumber, _ identityCRC: UInt32) -> Bool {
    lostAcks.contains(Ack(number, identityCRC))
  }

  /// Sets the incident of an entry whose meaning became known.
  /// - Returns: the other incident that the entry was already in; nil: none.
  mutating func settle(_ identity: EventIdentity, in incident: UInt64) -> UInt64? {
    guard var entry = entries[identity] else { return nil }
    if entry.isOpen, entry.event.isPress { openPresses -= 1 }
    let before = entry.incident
    entry.isOpen = false
    entry.incident = incident
    entries[identity] = entry
    // A disk that has lied may have lost the earlier incident.
    return lastLie == 0 && before != 0 && before != incident ? before : nil
  }

  /// Writes an incident's row.
  /// - Parameter presses: how many presses have each number: keychains may share numbers.
  /// - Returns: the first number that is listed too often; nil: none.
  mutating func put(
    _ incident: Batch.Incident, order: Int, numbered presses: [EventNumber: Int]
  ) -> EventNumber? {
    let before = rows[incident.name]?.presses ?? []
    rows[incident.name] = Row(
      state: incident.state, presses: incident.presses, acknowledgedBy: incident.acknowledgedBy,
      order: order)
    guard before != incident.presses else { return nil }
    for number in before { listed[number, default: 0] -= 1 }
    for number in incident.presses { listed[number, default: 0] += 1 }
    return incident.presses.first { listed[$0, default: 0] > max(1, presses[$0] ?? 1) }
  }

  mutating func lose(_ identities: [EventIdentity], order: Int) {
    for identity in identities {
      guard let entry = entries.removeValue(forKey: identity) else { continue }
      if entry.isOpen, entry.event.isPress { openPresses -= 1 }
      acks[Ack(identity), default: 1] -= 1
      lostAcks.insert(Ack(identity))
    }
    // The lists of presses are unknown until they are written again, whole.
    for name in rows.keys { rows[name]?.presses = [] }
    listed = [:]
    isUnsure = true
    lastLie = order
  }

  /// A core started and says what it has found.
  /// - Returns: what it should have found, where that differs.
  mutating func isFound(_ standing: RestoredState, order: Int) -> RestoredState? {
    defer { isUnsure = false }
    guard !isUnsure else {
      // The core's finding is believed: that incident is there, and the others that it would have
      // found first are gone.
      for (name, row) in rows where row.state != .noEmergency && name != standing.incident {
        for number in row.presses { listed[number, default: 0] -= 1 }
        rows[name] = nil
      }
      if standing.incident != 0 {
        let before = rows[standing.incident]
        rows[standing.incident] = Row(
          state: standing.state, presses: before?.presses ?? [],
          acknowledgedBy: before?.acknowledgedBy ?? [], order: order)
      }
      return nil
    }
    // A wall clock that went back may swap the order of two incidents: either is right.
    let kept = rows.filter { $0.value.state != .noEmergency }
    if let row = kept[standing.incident], row.state == standing.state { return nil }
    guard let newest = kept.max(by: { ($0.value.order, $0.key) < ($1.value.order, $1.key) }) else {
      return standing.state == .noEmergency ? nil : RestoredState()
    }
    return RestoredState(incident: newest.key, state: newest.value.state)
  }
}
