/// Who holds a connection, and who gives way when there are too many. Pure.
///
/// A newcomer is let in wherever somebody is there who matters less: else a stranger who opens
/// connections and says nothing would keep the owner out. Those give way first who have not asked
/// anything yet, the oldest before the others; those who have shown a token and are being answered
/// or told, never.
struct ConnectionTable {
  struct ID: Hashable, Sendable { fileprivate let rawValue: UInt64 }

  /// From who gives way first.
  enum Standing: Int, Comparable {
    /// No whole head of a request, since it began or since the last answer.
    case halfOpen
    /// A request of somebody who has shown no token.
    case stranger
    /// One who has shown a token, and asks nothing now.
    case known
    /// A request, or a stream, of one who has shown a token.
    case served

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  enum Admission: Equatable {
    case admitted(ID, inPlaceOf: ID?)
    /// All who are there are being served.
    case refused
  }

  private struct Entry {
    let id: ID
    /// Nil: not of the Internet.
    let from: HostAddress?
    /// Grows with each change of standing.
    var since: UInt64
    var isKnown = false
    var isAsking = false

    var standing: Standing {
      if isKnown { return isAsking ? .served : .known }
      return isAsking ? .stranger : .halfOpen
    }
  }

  let most: Int
  /// From one address: the others find room whatever is done from there.
  let mostFromOne: Int
  private var entries: [Entry] = []
  private var places: [ID: Int] = [:]
  private var perAddress: [HostAddress?: Int] = [:]
  private var last: UInt64 = 0

  init(most: Int) {
    self.most = max(2, most)
    mostFromOne = max(1, most / 2)
  }

  var count: Int { entries.count }

  /// - Parameter address: of the peer; its network counts as one.
  mutating func open(from address: HostAddress?) -> Admission {
    let from = address?.network
    var replaced: ID?
    if perAddress[from, default: 0] >= mostFromOne {
      guard let victim = victim(from: .some(from)) else { return .refused }
      replaced = victim
    } else if entries.count >= most {
      guard let victim = victim(from: nil) else { return .refused }
      replaced = victim
    }
    if let replaced { close(replaced) }
    last += 1
    let id = ID(rawValue: last)
    places[id] = entries.count
    entries.append(Entry(id: id, from: from, since: last))
    perAddress[from, default: 0] += 1
    return .admitted(id, inPlaceOf: replaced)
  }

  mutating func close(_ id: ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let from = entries[place].from
    let left = perAddress[from, default: 0] - 1
    perAddress[from] = left > 0 ? left : nil
    entries.swapAt(place, entries.count - 1)
    entries.removeLast()
    if place < entries.count { places[entries[place].id] = place }
  }

  /// The head of a request is there.
  mutating func asks(_ id: ID) { change(id) { $0.isAsking = true } }

  /// The token that it shows is one.
  mutating func shows(_ id: ID) { change(id) { $0.isKnown = true } }

  /// All that it has asked is answered.
  mutating func isAnswered(_ id: ID) { change(id) { $0.isAsking = false } }

  func standing(of id: ID) -> Standing? { places[id].map { entries[$0].standing } }

  private mutating func change(_ id: ID, _ edit: (inout Entry) -> Void) {
    guard let place = places[id] else { return }
    edit(&entries[place])
    last += 1
    entries[place].since = last
  }

  /// - Parameter address: of those from there alone; nil: of all.
  private func victim(from address: HostAddress??) -> ID? {
    var first: Entry?
    for entry in entries where address == nil || entry.from == address! {
      guard let other = first else {
        first = entry
        continue
      }
      if (entry.standing, entry.since) < (other.standing, other.since) { first = entry }
    }
    guard let first, first.standing < .served else { return nil }
    return first.id
  }
}
