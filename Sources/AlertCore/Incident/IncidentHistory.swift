import WireProtocol

/// Ended incidents that may still change.
struct IncidentHistory: Sendable {
  private var incidents: [IncidentID: Incident] = [:]
  /// The ended incident that nobody has resumed from (R40).
  private(set) var ended: IncidentID?
  /// The last incident that ended by PIN: a press made before that becomes its entry.
  private(set) var disarmed: IncidentID?

  /// The past incident that somebody answered of last. One is enough: it is read again each time.
  private var past: Incident?

  subscript(id: IncidentID) -> Incident? { incidents[id] ?? (past?.id == id ? past : nil) }

  @inline(__always)
  var lastEnded: Incident? { ended.flatMap { incidents[$0] } }

  mutating func recover(_ stored: StoredState) {
    for incident in [stored.lastDisarmed, stored.current].compactMap(\.self) {
      guard case .ended(let end) = incident.phase else { continue }
      var incident = incident
      incident.limitCounts()
      incidents[incident.id] = incident
      if !end.isLeft { ended = incident.id }
    }
    disarmed = stored.lastDisarmed?.id
  }

  /// Adds an incident that ended just now, and drops the others but the last disarmed one.
  /// - Parameter changed: incidents that this step is still to write: they stay.
  mutating func add(_ incident: Incident, keeping changed: [IncidentID]) {
    ended = incident.id
    if incident.endReason == .disarmed { disarmed = incident.id }
    incidents = incidents.filter { $0.key == disarmed || changed.contains($0.key) }
    incidents[incident.id] = incident
  }

  /// Resumes from the ended incident.
  /// - Returns: that incident; nil where there is none.
  mutating func leave() -> (IncidentID, Transition)? {
    guard let id = ended, let transition = incidents[id]?.leave() else { return nil }
    ended = nil
    return (id, transition)
  }

  /// Takes in an incident of the store that is over and not in memory any more.
  mutating func look(at incident: Incident) { past = incident }

  /// The account is erased: what may still change is written without its owner's words.
  mutating func erasePerson() {
    incidents = incidents.mapValues(\.anonymous)
    past = nil
  }

  /// A copy of a press came with its proof.
  /// - Returns: its entry; nil where no entry of an incident in memory lacks this proof.
  mutating func prove(_ identity: EventIdentity) -> ProvedPress? {
    for id in incidents.keys {
      if let place = incidents[id]?.prove(identity) {
        return ProvedPress(incident: id, place: place)
      }
    }
    return nil
  }

  mutating func change(
    _ id: IncidentID, _ output: inout CoreOutput, _ body: (inout Incident) -> Void
  ) {
    if var last = past, last.id == id {
      body(&last)
      past = last
      output.changed(id)
    }
    guard let place = incidents.index(forKey: id) else { return }
    body(&incidents.values[place])
    output.changed(id)
  }
}
