/// The lists that grow with the presses, stored apart from the rest: written whole at each press,
/// they would cost more and more.
extension Incident {
  /// The incident without these lists.
  package var withoutLists: Incident {
    var incident = self
    incident.presses = []
    incident.aliases = []
    return incident
  }

  /// Puts the lists back. Entries are only ever added, in order.
  package mutating func append(presses: [PressEntry], aliases: [IncidentID]) {
    self.presses += presses
    self.aliases += aliases
  }
}
