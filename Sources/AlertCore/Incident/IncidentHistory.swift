/// Incidents that are over, by their names, as long as something may still become of them.
struct IncidentHistory: Sendable {
  private var incidents: [IncidentID: Incident] = [:]
  /// Nobody has gone on from it (R40).
  private(set) var ended: IncidentID?
  /// The last that ended by PIN: a press that was made before that becomes its entry.
  private(set) var disarmed: IncidentID?

  subscript(id: IncidentID) -> Incident? { incidents[id] }

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

  /// One that ended just now. Of the others but the last disarmed nothing can become any more.
  /// - Parameter changed: what this step is still to write.
  mutating func add(_ incident: Incident, keeping changed: [IncidentID]) {
    ended = incident.id
    if incident.endReason == .disarmed { disarmed = incident.id }
    incidents = incidents.filter { $0.key == disarmed || changed.contains($0.key) }
    incidents[incident.id] = incident
  }

  /// - Returns: the one that nobody had gone on from.
  mutating func leave() -> (IncidentID, Transition)? {
    guard let id = ended, let transition = incidents[id]?.leave() else { return nil }
    ended = nil
    return (id, transition)
  }

  mutating func change(
    _ id: IncidentID, _ output: inout CoreOutput, _ body: (inout Incident) -> Void
  ) {
    guard let place = incidents.index(forKey: id) else { return }
    body(&incidents.values[place])
    output.changed(id)
  }
}
