import FobBase

/// Who holds a connection, and who gives way when there are too many. Pure.
///
/// A newcomer is let in wherever somebody is there who matters less: else a stranger who opens
/// connections and says nothing would keep the owner out. Of those who have shown no token one
/// gives way from where most of them come, so that a crowd displaces itself: first one that has
/// had its time and asked nothing, then one that has asked, then one that has only just come, the
/// oldest of each before the others. Those who have shown a token and are being answered or told
/// never do.
struct ConnectionTable {
  struct ID: Hashable, Sendable { fileprivate let rawValue: UInt64 }

  /// How much it matters, the least first.
  enum Priority: Int, Comparable {
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
    let openedAt: Instant
    var isKnown = false
    var isAsking = false

    var standing: Priority {
      if isKnown { return isAsking ? .served : .known }
      return isAsking ? .stranger : .halfOpen
    }
  }

  /// In which whoever comes from far can have said what it wants.
  static let time = Interval.seconds(2)

  let most: Int
  /// From one address: the others find room whatever is done from there.
  let maxFromOneAddress: Int
  private var entries: [Entry] = []
  private var places: [ID: Int] = [:]
  private var perAddress: [HostAddress?: Int] = [:]
  /// Of those, who have shown no token.
  private var strangers: [HostAddress?: Int] = [:]
  private var last: UInt64 = 0

  init(most: Int) {
    self.most = max(2, most)
    maxFromOneAddress = max(1, most / 2)
  }

  var count: Int { entries.count }

  /// - Parameter address: of the peer; its network counts as one.
  mutating func open(from address: HostAddress?, at now: Instant) -> Admission {
    let from = address?.network
    var replaced: ID?
    if perAddress[from, default: 0] >= maxFromOneAddress {
      guard let victim = stranger(from: from, at: now) ?? idle(from: .some(from)) else {
        return .refused
      }
      replaced = victim
    } else if entries.count >= most {
      let crowd = strangers.max { $0.value < $1.value }
      guard let victim = crowd.flatMap({ stranger(from: $0.key, at: now) }) ?? idle(from: nil)
      else { return .refused }
      replaced = victim
    }
    if let replaced { close(replaced) }
    last += 1
    let id = ID(rawValue: last)
    places[id] = entries.count
    entries.append(Entry(id: id, from: from, since: last, openedAt: now))
    perAddress[from, default: 0] += 1
    strangers[from, default: 0] += 1
    return .admitted(id, inPlaceOf: replaced)
  }

  mutating func close(_ id: ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let from = entries[place].from
    Self.takeOne(from, of: &perAddress)
    if !entries[place].isKnown { Self.takeOne(from, of: &strangers) }
    entries.swapAt(place, entries.count - 1)
    entries.removeLast()
    if place < entries.count { places[entries[place].id] = place }
  }

  /// The head of a request is there.
  mutating func asks(_ id: ID) { change(id) { $0.isAsking = true } }

  /// The token that it shows is one.
  mutating func shows(_ id: ID) {
    guard let place = places[id], !entries[place].isKnown else { return }
    Self.takeOne(entries[place].from, of: &strangers)
    change(id) { $0.isKnown = true }
  }

  /// All that it has asked is answered.
  mutating func isAnswered(_ id: ID) { change(id) { $0.isAsking = false } }

  func standing(of id: ID) -> Priority? { places[id].map { entries[$0].standing } }

  private mutating func change(_ id: ID, _ edit: (inout Entry) -> Void) {
    guard let place = places[id] else { return }
    edit(&entries[place])
    last += 1
    entries[place].since = last
  }

  private static func takeOne(_ from: HostAddress?, of counts: inout [HostAddress?: Int]) {
    let left = counts[from, default: 0] - 1
    counts[from] = left > 0 ? left : nil
  }

  /// Who gives way of those from there who have shown no token.
  private func stranger(from address: HostAddress?, at now: Instant) -> ID? {
    func rank(_ entry: Entry) -> (Int, UInt64) {
      guard !entry.isAsking else { return (1, entry.since) }
      return (now - entry.openedAt < Self.time ? 2 : 0, entry.since)
    }
    return first(by: rank) { !$0.isKnown && $0.from == address }
  }

  /// The oldest that has shown a token and asks nothing now.
  /// - Parameter address: of those from there alone; nil: of all.
  private func idle(from address: HostAddress??) -> ID? {
    func rank(_ entry: Entry) -> (Int, UInt64) { (0, entry.since) }
    return first(by: rank) {
      $0.standing == .known && (address == nil || $0.from == address!)
    }
  }

  private func first(
    by rank: (Entry) -> (Int, UInt64), where isMeant: (Entry) -> Bool
  ) -> ID? {
    var first: (id: ID, rank: (Int, UInt64))?
    for entry in entries where isMeant(entry) {
      let rank = rank(entry)
      if let first, first.rank <= rank { continue }
      first = (entry.id, rank)
    }
    return first?.id
  }
}
