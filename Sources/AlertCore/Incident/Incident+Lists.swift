/// The lists of an incident that grow with its presses, apart from the rest: a store that wrote
/// them whole at each press would write the more, the more often somebody presses.
extension Incident {
  /// Everything else of it.
  package var withoutLists: Incident {
    var incident = self
    incident.presses = []
    incident.aliases = []
    return incident
  }

  /// Puts back what stood apart. Entries are only ever added, in order.
  package mutating func append(presses: [PressEntry], aliases: [IncidentID]) {
    self.presses += presses
    self.aliases += aliases
  }
}
