import AlertCore
import FobBase
import WireProtocol

/// A keychain with numbers and a clock of its own on a line that comes and goes, and the core that
/// hears it. HEARTBEAT and the clock exchange are right, whatever its stamps say.
struct KeychainBench {
  var bench: CoreBench
  /// What the stamp of an edge is, of the true µs since its boot.
  var stamp: (Int64) -> UInt64 = { UInt64($0) }
  /// What the uptime of a heartbeat is.
  var uptime: (Int64) -> UInt64 = { UInt64($0) }
  /// The number of the next event.
  var next: EventNumber
  var nonce: UInt32 = 7
  var counters = Heartbeat()
  /// Made and not yet heard.
  private(set) var kept: [EventRecord] = []
  private(set) var isLinked = false
  private var bootedAt: Timestamp
  /// The first clock exchange of the session.
  private var linkedAt: Timestamp
  /// What has happened, for a model.
  private(set) var history: [FaultAction] = []

  struct FaultAction {
    enum Kind {
      case up(UInt32)
      case down
      case missed
      case beat(UInt64, isEmpty: Bool)
      case event(EventIdentity)
      case disarm
    }
    let at: Timestamp
    let kind: Kind
  }

  init(_ account: Account = .sample(), _ policy: Policy = Policy(), boot: UInt32 = 1) {
    bench = CoreBench(account, policy)
    bootedAt = bench.now
    linkedAt = bench.now
    next = EventNumber(boot: boot, n: 1)
  }

  /// Linked since its boot, and known to the core by its booted event.
  static func linked() -> KeychainBench {
    var keychain = KeychainBench()
    keychain.link()
    keychain.make(.booted)
    keychain.deliver()
    keychain.run(for: .seconds(30))
    return keychain
  }

  private var running: Int64 { bench.now.since(bootedAt).microseconds }

  // MARK: The line

  mutating func link() {
    var hello = Hello.from(keychain)
    hello.bootNonce = nonce
    hello.oldestUnacked = kept.map(\.identity.number).min() ?? .none
    linkedAt = bench.now
    isLinked = true
    note(.up(nonce))
    bench.hand(.linkUp(line, hello))
  }

  mutating func unplug() {
    isLinked = false
    note(.down)
    bench.hand(.linkDown(line, reason: "unplugged"))
  }

  mutating func miss() {
    note(.missed)
    bench.hand(.missed(line))
  }

  /// The keychain starts anew; what it keeps it says to be of an earlier boot.
  mutating func reset(nonce: UInt32) {
    self.nonce = nonce
    bootedAt = bench.now
    next = EventNumber(boot: next.boot + 1, n: 1)
    for index in kept.indices { kept[index].flags.insert(.replayed) }
  }

  mutating func restart() {
    isLinked = false
    history = []
    bench.restart(down: .seconds(1))
  }

  // MARK: Time

  /// With a heartbeat each second, or each five where it is long.
  mutating func run(for interval: Interval) {
    let end = bench.now + interval
    let every = interval > .minutes(5) ? Interval.seconds(5) : .seconds(1)
    while bench.now.instant < end.instant {
      bench.run(
        until: end.instant - bench.now.instant < every.microseconds ? end : bench.now + every)
      if isLinked { beat() }
    }
  }

  mutating func beat() {
    var beat = counters
    beat.uptime = uptime(running)
    beat.unacked = UInt8(min(255, kept.count))
    note(.beat(beat.uptime, isEmpty: beat.unacked == 0))
    bench.hand(.heartbeat(line, beat))
  }

  // MARK: Events

  @discardableResult
  mutating func make(_ kind: EventKind = .pressed) -> EventRecord {
    let record = EventRecord(
      EventIdentity(
        deviceID: keychain, number: next, kind: kind, clock: stamp(running), bootNonce: nonce))
    if next.rawValue < .max { next = EventNumber(rawValue: next.rawValue + 1) }
    kept.append(record)
    return record
  }

  /// So many presses, ten seconds apart, which nobody hears.
  @discardableResult
  mutating func makeOutOfReach(_ count: Int) -> [EventRecord] {
    (0..<count).map { _ in
      run(for: .seconds(10))
      return make()
    }
  }

  /// Unplugged, so many presses that nobody hears, and back half a minute later with all of them.
  mutating func goAndComeBack(with count: Int) {
    unplug()
    makeOutOfReach(count)
    run(for: .seconds(30))
    link()
    deliver()
  }

  /// A press that is heard as it is made, behind nothing that waits.
  @discardableResult
  mutating func press() -> EventRecord {
    let record = makeLive()
    hear(record)
    return record
  }

  mutating func makeLive(_ kind: EventKind = .pressed) -> EventRecord {
    make(kind)
    return kept.removeLast()
  }

  /// All that waits is sent, a place of the window after the other.
  mutating func deliver() {
    while !kept.isEmpty {
      hear(kept.removeFirst())
      bench.run(for: .milliseconds(5))
    }
  }

  mutating func hear(_ record: EventRecord) {
    let happenedAt = fitted(record)
    note(.event(record.identity))
    bench.press(record, happenedAt: happenedAt)
  }

  mutating func keep(_ record: EventRecord) { kept.append(record) }
  mutating func takeKept(at index: Int) -> EventRecord { kept.remove(at: index) }

  /// By the right clock exchange of the session, as far as that may say.
  func fitted(_ record: EventRecord) -> ClosedRange<Int64>? {
    let identity = record.identity
    let since = UInt64(linkedAt.since(bootedAt).microseconds)
    guard isLinked, identity.bootNonce == nonce, identity.clock >= since,
      let clock = Int64(exactly: identity.clock), clock < .max / 2
    else { return nil }
    let at = bootedAt.instant + clock
    return at - 50...at + 50
  }

  // MARK: People

  mutating func disarm() {
    note(.disarm)
    bench.perform(.disarm)
  }

  private mutating func note(_ kind: FaultAction.Kind) {
    history.append(FaultAction(at: bench.now, kind: kind))
  }
}

extension KeychainBench {
  var setAside: Int { bench.happened(.pressJoined).count }
  var doubts: [String] { bench.happened(.bootDoubted).compactMap(\.detail) }

  /// Messages of a kind to one of the contacts.
  func told(_ kind: Notification.Kind) -> [Notification] {
    bench.deliveries(kind, to: "contact-1").map(\.notification)
  }
}
