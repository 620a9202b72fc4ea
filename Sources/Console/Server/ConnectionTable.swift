import FobBase

/// Decides which connections are kept when there are too many. Pure.
///
/// A newcomer replaces a connection that matters less: otherwise an anonymous client could open
/// connections, say nothing and keep the owner out. The anonymous client that gives way is one from
/// the address with the most of them, so that a crowd displaces itself: first one that had its time
/// and asked nothing, then one that has asked, then one that has just come; among equals the
/// oldest. Where all have shown a token, one gives way of the account that has most connections:
/// the oldest that asks nothing, or whose request is not whole; where all are being served, the
/// oldest of these. One account has only its share: beyond it, its own give way. A bridge's
/// connection gives way to that bridge's alone, so that it finds its way in for a press.
struct ConnectionTable {
  struct ID: Hashable, Sendable { fileprivate let rawValue: UInt64 }

  /// How much a connection matters, the least first.
  enum Priority: Int, Comparable {
    /// No complete request head since it began or since the last answer.
    case halfOpen
    /// A request of an anonymous client.
    case stranger
    /// A client that has shown a token, and asks nothing now, or has not asked to the end.
    case known
    /// A whole request, or a stream, of a client that has shown a token.
    case served
    /// A bridge on another host, whether it asks or not.
    case bridge

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  enum Admission: Equatable {
    case admitted(ID, inPlaceOf: ID?)
    /// All present clients are bridges.
    case refused
  }

  private struct Entry {
    let id: ID
    /// Nil: not an Internet address.
    let from: HostAddress?
    /// Grows with each change of priority.
    var since: UInt64
    let openedAt: Instant
    /// Nil: it has shown no token.
    var holder: Caller.Holder?
    var isAsking = false
    /// The body of the request has come, too.
    var isWhole = false

    var standing: Priority {
      switch holder {
      case nil: isAsking ? .stranger : .halfOpen
      case .bridge: .bridge
      case .account, .core: isServed ? .served : .known
      }
    }

    var isServed: Bool { isAsking && isWhole }
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
  private var perHolder: [Caller.Holder: Int] = [:]
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
      guard let victim = stranger(from: from, at: now) ?? known(from: .some(from)) else {
        return .refused
      }
      replaced = victim
    } else if entries.count >= most {
      let crowd = strangers.max { $0.value < $1.value }
      guard let victim = crowd.flatMap({ stranger(from: $0.key, at: now) }) ?? known(from: nil)
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
    perAddress.takeOne(of: from)
    if let holder = entries[place].holder {
      perHolder.takeOne(of: holder)
    } else {
      strangers.takeOne(of: from)
    }
    entries.swapAt(place, entries.count - 1)
    entries.removeLast()
    if place < entries.count { places[entries[place].id] = place }
  }

  /// The head of a request has come.
  mutating func asks(_ id: ID) { change(id) { ($0.isAsking, $0.isWhole) = (true, false) } }

  /// The body of that request has come.
  mutating func isWhole(_ id: ID) {
    if let place = places[id] { entries[place].isWhole = true }
  }

  /// The request shows a valid token.
  /// - Returns: the connection of the same holder that gives way.
  mutating func shows(_ id: ID, of holder: Caller.Holder) -> ID? {
    guard let place = places[id], entries[place].holder != holder else { return nil }
    let victim = perHolder[holder, default: 0] >= most(of: holder) ? oldest(of: holder) : nil
    if let earlier = entries[place].holder {
      perHolder.takeOne(of: earlier)
    } else {
      strangers.takeOne(of: entries[place].from)
    }
    perHolder[holder, default: 0] += 1
    change(id) { $0.holder = holder }
    if let victim { close(victim) }
    return victim
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

  private func most(of holder: Caller.Holder) -> Int {
    holder == .core ? most : ConsoleLimits.share(ofConnections: most)
  }

  /// The anonymous client of this address that gives way.
  private func stranger(from address: HostAddress?, at now: Instant) -> ID? {
    func rank(_ entry: Entry) -> (Int, UInt64) {
      guard !entry.isAsking else { return (1, entry.since) }
      return (now - entry.openedAt < Self.time ? 2 : 0, entry.since)
    }
    return first(by: rank) { $0.holder == nil && $0.from == address }
  }

  /// The client that gives way where all have shown a token.
  /// - Parameter address: only clients of this address; nil: all.
  private func known(from address: HostAddress??) -> ID? {
    func rank(_ entry: Entry) -> (Int, UInt64) {
      (-(entry.holder.flatMap { perHolder[$0] } ?? 0), entry.since)
    }
    func first(_ standing: Priority) -> ID? {
      self.first(by: rank) { $0.standing == standing && (address == nil || $0.from == address!) }
    }
    return first(.known) ?? first(.served)
  }

  private func oldest(of holder: Caller.Holder) -> ID? {
    func rank(_ entry: Entry) -> (Int, UInt64) { (entry.isServed ? 1 : 0, entry.since) }
    return first(by: rank) { $0.holder == holder }
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

/// How many there are of each.
extension Dictionary where Value == Int {
  /// There is one less of a key; of those of which there is none nothing is kept.
  mutating func takeOne(of key: Key) {
    let left = self[key, default: 0] - 1
    self[key] = left > 0 ? left : nil
  }
}
