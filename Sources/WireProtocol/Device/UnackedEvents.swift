public import FobBase

/// The events that a device keeps until they are acked, and when each is sent again.
///
/// Every event has its own timer: 100 ms after a sending, doubling to 2 s, for ever, whether or not
/// anybody answers. At most four resent events wait for an answer at one time; a new event never
/// waits. The records themselves lie in the board's store; this is their index, 16 bytes each.
///
/// Methods that only read the entries are mutating, too, so that the entries are read where they
/// stand. Otherwise a processor without memory to spare would copy all 64 to its stack for each
/// question.
public struct UnackedEvents: Sendable {
  /// One event, without its record.
  public struct Entry: Sendable {
    /// Two entries may have one number, where a boot could not be counted.
    public var number: EventNumber
    var due: Tick
    var backOff: UInt8
    /// A press is sent again before all others.
    public var kind: EventKind
    /// Where the record lies: a slot of the store, or of memory behind these.
    public var slot: UInt8
    /// Whether it was sent in this boot.
    public var wasSent: Bool
  }

  /// Microseconds shifted right by ten: 1.024 ms, so that a processor without a 64-bit division
  /// can make it. Wraps after 50 days; only differences are used.
  struct Tick: Sendable, Equatable {
    var rawValue: UInt32

    init(_ now: Instant) { rawValue = UInt32(truncatingIfNeeded: now.microseconds >> 10) }
    init(rawValue: UInt32) { self.rawValue = rawValue }

    func ticks(since earlier: Tick) -> Int32 {
      Int32(bitPattern: rawValue &- earlier.rawValue)
    }
    static func + (tick: Tick, ticks: UInt32) -> Tick { Tick(rawValue: tick.rawValue &+ ticks) }
  }

  private static let first: UInt32 = 98
  private static let longest: UInt32 = 1_953

  private var entries: InlineArray<64, Entry>
  /// Events that are kept, 0 to 64.
  public private(set) var count = 0
  private var waiting: InlineArray<4, (number: EventNumber, since: Tick)>

  /// Nothing is kept.
  @inline(__always)
  public init() {
    let nothing = Tick(rawValue: 0)
    entries = InlineArray(
      repeating: Entry(
        number: .none, due: nothing, backOff: 0, kind: .fault, slot: 0, wasSent: false))
    waiting = InlineArray(repeating: (.none, nothing))
    precondition(
      entries.count == Limits.deviceEvents && waiting.count == Limits.resendWindow)
  }

  /// All 64 places are taken: `add` traps.
  public var isFull: Bool { count == Limits.deviceEvents }

  /// An entry, 0 to `count` - 1. Entries stand in no order; `remove` moves the last one.
  public subscript(index: Int) -> Entry {
    mutating get {
      precondition(index < count)
      return entries[index]
    }
  }

  /// Keeps an event. `sent`: it is sent right now, and is due again in 100 ms; else it is due at
  /// once.
  @inline(never)
  public mutating func add(
    _ number: EventNumber, _ kind: EventKind, slot: UInt8, at now: Instant, sent: Bool
  ) {
    precondition(!isFull)
    let tick = Tick(now)
    entries[count] = Entry(
      number: number, due: sent ? tick + Self.first : tick, backOff: sent ? 1 : 0, kind: kind,
      slot: slot, wasSent: sent)
    count += 1
  }

  /// Index of the first entry with this number; nil when it is not kept.
  @inline(never)
  public mutating func index(of number: EventNumber) -> Int? {
    for i in 0..<count where entries[i].number == number { return i }
    return nil
  }

  /// Whether the record of a kept event lies in this slot.
  @inline(never)
  public mutating func uses(slot: UInt8) -> Bool {
    for i in 0..<count where entries[i].slot == slot { return true }
    return false
  }

  /// The lowest number that is kept; `none` when all are acked.
  public var oldest: EventNumber {
    @inline(never)
    mutating get {
      var oldest = EventNumber.none
      for i in 0..<count where oldest == .none || entries[i].number < oldest {
        oldest = entries[i].number
      }
      return oldest
    }
  }

  /// Whether a press is kept.
  public var hasPress: Bool {
    @inline(never)
    mutating get {
      for i in 0..<count where entries[i].kind == .pressed { return true }
      return false
    }
  }

  /// Index of the lowest number among the entries that fit; nil when none does.
  @inline(never)
  public mutating func oldest(where fits: (Entry) -> Bool) -> Int? {
    var found: Int?
    for i in 0..<count where fits(entries[i]) {
      if found.map({ entries[i].number < entries[$0].number }) ?? true { found = i }
    }
    return found
  }

  /// Index of the highest number among the entries that fit; nil when none does. A further press is
  /// merged into it when presses fill the ring.
  @inline(never)
  public mutating func newest(where fits: (Entry) -> Bool) -> Int? {
    var found: Int?
    for i in 0..<count where fits(entries[i]) {
      if found.map({ entries[i].number > entries[$0].number }) ?? true { found = i }
    }
    return found
  }

  /// Forgets an entry; the last one takes its index.
  @discardableResult
  public mutating func remove(at index: Int) -> Entry {
    precondition(index < count)
    let entry = entries[index]
    for i in 0..<waiting.count where waiting[i].number == entry.number {
      waiting[i].number = .none
    }
    count -= 1
    entries[index] = entries[count]
    return entry
  }

  /// The record of an entry lies in another slot from now on.
  public mutating func move(at index: Int, toSlot slot: UInt8) {
    precondition(index < count)
    entries[index].slot = slot
  }

  /// A host has said HELLO: everything is due now, with the first interval.
  @inline(never)
  public mutating func hostHello(at now: Instant) {
    let tick = Tick(now)
    for i in 0..<count {
      entries[i].due = tick
      entries[i].backOff = 0
    }
    for i in 0..<waiting.count { waiting[i].number = .none }
  }

  /// The event to send again now, marked as sent; nil when none is due or four wait already.
  /// A press goes before everything else, then what has been due longest.
  @inline(never)
  public mutating func nextResend(at now: Instant) -> Entry? {
    let tick = Tick(now)
    guard let place = freePlace(tick) else { return nil }
    var best: Int?
    for i in 0..<count where tick.ticks(since: entries[i].due) >= 0 {
      if best.map({ Self.precedes(entries[i], entries[$0]) }) ?? true { best = i }
    }
    guard let best else { return nil }
    let wait = min(Self.first << UInt32(entries[best].backOff), Self.longest)
    entries[best].due = tick + wait
    entries[best].backOff = min(entries[best].backOff + 1, 5)
    waiting[place] = (entries[best].number, tick)
    let entry = entries[best]
    entries[best].wasSent = true
    return entry
  }

  /// When to call `nextResend` next; nil when nothing is kept.
  @inline(never)
  public mutating func nextDue(after now: Instant) -> Instant? {
    guard count > 0 else { return nil }
    let tick = Tick(now)
    var soonest = Int32.max
    for i in 0..<count { soonest = min(soonest, entries[i].due.ticks(since: tick)) }
    if freePlace(tick) == nil {
      var free = Int32.max
      for i in 0..<waiting.count {
        free = min(free, (waiting[i].since + Self.first).ticks(since: tick))
      }
      soonest = max(soonest, free)
    }
    return now + .microseconds(Int64(max(0, soonest)) << 10)
  }

  private mutating func freePlace(_ tick: Tick) -> Int? {
    for i in 0..<waiting.count {
      if waiting[i].number == .none || tick.ticks(since: waiting[i].since) >= Int32(Self.first) {
        return i
      }
    }
    return nil
  }

  private static func precedes(_ a: Entry, _ b: Entry) -> Bool {
    if (a.kind == .pressed) != (b.kind == .pressed) { return a.kind == .pressed }
    let order = a.due.ticks(since: b.due)
    return order != 0 ? order < 0 : a.number < b.number
  }
}
