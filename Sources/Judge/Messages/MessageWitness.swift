import FobBase

/// Remembers the five messages of one host: who asked for them, what its disk holds, and what was
/// handed out.
struct MessageWitness: Sendable {
  private struct Send: Sendable {
    var row: Batch.SendRow
    let storedAt: Instant
  }

  private struct Way: Sendable {
    var at: Instant
    var run: Int
    var isTold = false
  }

  let index: Int
  /// The contacts of the slots that have a text, as the disk has them.
  private var slots: [Int: Int] = [:]
  /// Somebody has asked for a slot to be filled, so messages may be sent from now on.
  private(set) var mayBeSent = false
  /// When a slot could last be sent, as far as the disk tells.
  private var lastCompleteAt = Instant.longAgo
  /// The ids that requests make.
  private var asked: Set<UInt64> = []
  private var sends: [UInt64: Send] = [:]
  private var ways: [UInt64: Way] = [:]
  private var lastToldAt = Instant.longAgo
  /// Its wall clock was set, or may have been: how long ago a message was decided is unsure.
  private var isWallUnsure = false
  /// Keychains that the account has had; nil: every one.
  private var owned: Set<DeviceID>? = []
  /// When slots were last written, as a position in the order of the host's observations.
  var slotOrder = 0

  init(_ index: Int) { self.index = index }

  // MARK: Asking

  mutating func asked(_ userRequest: UserRequest) {
    switch userRequest {
    case .fillSlot: mayBeSent = true
    case .sendMessage(_, _, let name): asked.insert(name)
    default: break
    }
  }

  mutating func accountSaid(_ account: AccountState, at now: Instant) {
    completeUntil(now)
    if account.isLoggedIn {
      owned = account.keychains.flatMap { keychains in owned.map { $0.union(keychains) } }
    }
  }

  mutating func clockSet() { isWallUnsure = true }

  func hasOwned(_ device: DeviceID) -> Bool { owned?.contains(device) ?? true }

  /// No slot could be sent since then, as far as clicks of that time are concerned.
  func isNoneComplete(since when: Instant) -> Bool { slots.isEmpty && lastCompleteAt < when }

  private mutating func completeUntil(_ now: Instant) { if !slots.isEmpty { lastCompleteAt = now } }

  // MARK: The disk

  mutating func stored(_ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog) {
    completeUntil(now)
    for (slot, contact) in batch.slots { slots[slot] = contact }
    completeUntil(now)
    for row in batch.sends { store(row, at: now, &violationLog) }
  }

  private mutating func store(
    _ row: Batch.SendRow, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    defer { sends[row.name] = Send(row: row, storedAt: sends[row.name]?.storedAt ?? now) }
    guard !isWallUnsure else { return }
    if let before = sends[row.name] {
      guard row.state == .failed, before.row.state == .running,
        now - before.storedAt < Self.failAfter
      else { return }
      violationLog.accuse(
        .messageLost, at: now, "host \(index + 1) gave up \(row.name.message) before its time")
    } else if row.state == .running || row.state == .taken {
      let other = sends.values.first { other in
        other.row.slot == row.slot && (other.row.state == .running || other.row.state == .taken)
          && (0..<Self.oneWithin).contains(row.decided - other.row.decided)
      }
      guard let other else { return }
      violationLog.accuse(
        .messageDoubled, at: now,
        "host \(index + 1) made \(row.name.message) of what \(other.row.name.message) is for")
    }
  }

  /// A disk that has lied says what it really holds.
  mutating func found(_ found: Batch, at now: Instant) {
    completeUntil(now)
    slots = Dictionary(found.slots.compactMap { slot in slot.contact.map { (slot.slot, $0) } }) {
      $1
    }
    completeUntil(now)
    let rows = Dictionary(found.sends.map { ($0.name, $0) }) { $1 }
    sends = sends.filter { rows[$0.key] != nil }
    for (name, row) in rows { sends[name] = Send(row: row, storedAt: sends[name]?.storedAt ?? now) }
    isWallUnsure = true
  }

  // MARK: Handing out

  /// - Parameter isKnown: a press has this name.
  mutating func handedOut(
    _ message: Message, isKnown: Bool, run: Int, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    let name = message.incident
    ways[name] = Way(at: now, run: run)
    if let state = sends[name]?.row.state, state != .running {
      violationLog.accuse(
        .messageDoubled, at: now,
        "host \(index + 1) handed out \(message.text), which its disk has as \(state.rawValue)")
    }
    let contact = sends[name]?.row.contact ?? message.contact
    guard mayBeSent, isKnown || asked.contains(name), contact == message.contact else {
      return violationLog.accuse(
        .messageUnasked, at: now,
        "host \(index + 1) handed out \(message.text), which nobody asked for")
    }
  }

  mutating func told(_ message: Message, at now: Instant) {
    ways[message.incident]?.isTold = true
    lastToldAt = now
  }

  /// Whether a light may say that a message was accepted.
  func mayBeAccepted(at now: Instant) -> Bool { now - lastToldAt <= Self.accepted }

  // MARK: The end

  /// - Parameters:
  ///   - run: since `calm` there was no other.
  ///   - isTried: a message that was handed out then may still be tried.
  func finish(run: Int, at now: Instant, isTried: (Instant) -> Bool, _ log: inout ViolationLog) {
    for send in sends.values.sorted(by: { $0.row.name < $1.row.name })
    where send.row.state == .running {
      if let way = ways[send.row.name], way.run == run, !way.isTold, isTried(way.at) { continue }
      log.accuse(
        .messageLost, at: now, "host \(index + 1) has not sent \(send.row.name.message)")
    }
  }

  private static let failAfter = Interval.minutes(15) - Rules.tolerance - .minutes(2)
  private static let oneWithin: Int64 = 60_000_000
  /// A light says so for 5 s, from the answer on.
  private static let accepted = Interval.seconds(5) + Rules.tolerance
}

extension UInt64 {
  /// A message's id in words.
  fileprivate var message: String { "message " + String(self, radix: 16) }
}
