import AlertCore

/// The names of incidents in words, of which a batch has many and seldom two.
final class IncidentNames {
  private var last: (id: IncidentID, name: String)?

  subscript(id: IncidentID) -> String {
    if let last, last.id == id { return last.name }
    let name = id.description
    last = (id, name)
    return name
  }

  subscript(id: IncidentID?) -> String? { id.map { self[$0] } }
}
