import FobBase

/// Decides which connections are kept when there are too many. Pure.
///
/// A newcomer replaces a connection that matters less: otherwise an anonymous client could open
/// connections, say nothing and keep the owner out. The anonymous client that gives way is one from
/// the address with the most of them, so that a crowd displaces itself: first one that had its time
/// and asked nothing, then one that has asked, then one that has just come; among equals the
/// oldest. Clients that have shown a token and are being served never give way.
struct ConnectionTable {
  struct ID: Hashable, Sendable { fileprivate let rawValue: UInt64 }

  /// How much a connection matters, the least first.
  enum Priority: Int, Comparable {
    /// No complete request head since it began or since the last answer.
    case halfOpen
    /// A request of an anonymous client.
    case stranger
    /// A client that has shown a token, and asks nothing now.
    case known
    /// A request or a stream of a client that has shown a token.
    case served

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  enum Admission: Equatable {
    case admitted(ID, inPlaceOf: ID?)
    /// All present clients are being served.
    case refused
  }

  private struct Entry {
    let id: ID
    /// Nil: not an Internet address.
    let from: HostAddress?
    /// Grows with each change of priority.
    var since: UInt64
    let openedAt: Instant
    var isKnown = false
    var isAsking = false

    var standing: Priority {
      if isKnown { return isAsking ? .served : .known }
      return isAsking ? .stranger : .halfOpen
    }
  }

  /// In this time even a client far away can send its request.
  static let time = Interval.seconds(2)

  let most: Int
  /// Connections from one address; the others stay free for everybody else.
  let maxFromOneAddress: Int
  private var entries: [Entry] = []
  private var places: [ID: Int] = [:]
  private var perAddress: [HostAddress?: Int] = [:]
  /// Connections of anonymous clients, by address.
  private var strangers: [HostAddress?: Int] = [:]
  private var last: UInt64 = 0

  init(most: Int) {
    self.most = max(2, most)
    maxFromOneAddress = max(1, most / 2)
  }

  var count: Int { entries.count }

  /// - Parameter address: of the peer; its network counts as one address.
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

  /// The head of a request has come.
  mutating func asks(_ id: ID) { change(id) { $0.isAsking = true } }

  /// The request shows a valid token.
  mutating func shows(_ id: ID) {
    guard let place = places[id], !entries[place].isKnown else { return }
    Self.takeOne(entries[place].from, of: &strangers)
    change(id) { $0.isKnown = true }
  }

  /// Every request of the connection is answered.
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

  /// The anonymous client of this address that gives way.
  private func stranger(from address: HostAddress?, at now: Instant) -> ID? {
    func rank(_ entry: Entry) -> (Int, UInt64) {
      guard !entry.isAsking else { return (1, entry.since) }
      return (now - entry.openedAt < Self.time ? 2 : 0, entry.since)
    }
    return first(by: rank) { !$0.isKnown && $0.from == address }
  }

  /// The oldest client that has shown a token and asks nothing now.
  /// - Parameter address: only clients of this address; nil: all.
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
