import FobBase

/// The observed course of one incident at one host, and the deadlines that follow.
struct IncidentRecord: Sendable {
  /// When it entered a state, and in which run of the host that was seen.
  struct Begin: Sendable {
    var at: TimeRange
    var run: Int
  }

  var opened: Begin?
  var countdownEnds: TimeRange?
  var sending: Begin?
  var sent: Begin?
  /// The last further press: tracking is counted from it.
  var press: TimeRange?
  /// The last further press that is on the disk.
  var durablePress: Instant?
  /// The last message to everyone was not decided before this; the next is due `messageEvery`
  /// later.
  private(set) var lastMessage: Instant?
  private var messageBefore: Instant?
  private var durableMessage: Instant?
  private var batchesSinceMessage = 0
  /// Sequence of the newest message handed out to any contact, as far as a start knows of it.
  var sequence = 0
  private var durableSequence = 0
  var lastKind = Message.Kind.raise
  private(set) var isAcknowledged = false
  private var wasAcknowledged = false
  /// The wall clock jumped while it was open: after a reboot nobody knows what it makes of earlier
  /// times.
  var isWallUnknown = false
  /// The wall clock went back over some reboot.
  private(set) var hasGoneBack = false
  /// A further press ends the countdown.
  var mayEndEarly = false
  /// A wrong timer was reported; it is reported once in each state.
  var isAccused = false
  /// The next message is waited for from here on.
  var waitsFrom: Instant?
  var endedAt: Instant?
  var contacts: [ContactRecord]
  /// The keychain that was pressed first.
  private var presser: DeviceID?
  /// Several keychains were pressed: further presses are told together, some time later.
  private(set) var isOfSeveral = false
  /// It is unclaimed: nobody is told.
  var isUnclaimed = false
  var isTriggered = false
  private var hasRecipients = true

  init(contacts: Int) {
    self.contacts = Array(repeating: ContactRecord(), count: contacts)
    hasRecipients = contacts > 0
  }

  /// Somebody is to be told.
  var isForSomebody: Bool { hasRecipients && !isUnclaimed }

  mutating func address(_ account: AccountState) {
    for index in contacts.indices { contacts[index].isRecipient = account.tells(index) }
    hasRecipients = contacts.contains(where: \.isRecipient)
  }

  /// A press opens it, for the first time or after a crash that lost it.
  mutating func open(at now: Instant, run: Int) {
    var new = IncidentRecord(contacts: 0)
    new.contacts = contacts
    new.opened = Begin(at: TimeRange(now), run: run)
    self = new
  }

  /// - Parameter opener: the keychain whose press opened it; nil: a trigger did.
  mutating func pressed(by device: DeviceID, opener: DeviceID?) {
    let first = presser ?? opener ?? device
    presser = first
    if first != device { isOfSeveral = true }
  }

  mutating func decided(message now: Instant) {
    guard lastMessage.map({ $0 < now }) ?? true else { return }
    if let lastMessage, now - lastMessage >= Rules.tolerance { messageBefore = lastMessage }
    lastMessage = now
    batchesSinceMessage = 0
  }

  /// The last decision before a message that is handed out now. That message was held back until
  /// its commit or for 100 ms, so a press of the last moments may have come after its decision; a
  /// later press would have replaced it.
  func lastMessage(before now: Instant) -> Instant? {
    guard let lastMessage, now - lastMessage < Rules.tolerance else { return lastMessage }
    return messageBefore ?? .longAgo
  }

  /// One batch is under way at a time, so the second one after a decision surely holds it.
  mutating func batchStored() {
    batchesSinceMessage += 1
    guard batchesSinceMessage >= 2 else { return }
    durableMessage = lastMessage
    durableSequence = sequence
  }

  /// The disk has lied, so it may have any earlier row.
  mutating func forgetDurable() {
    durablePress = nil
    durableMessage = nil
    durableSequence = 0
  }

  mutating func acknowledge(_ new: Bool) {
    isAcknowledged = new
    wasAcknowledged = wasAcknowledged || new
  }

  // MARK: Restarts

  /// The host's core was started again, and the disk says `state`.
  /// - Parameter isRebased: the times of an earlier start may not have been recorded, and the wall
  ///   clock was set since or had gone back: they are reckoned again, by another clock.
  mutating func restart(
    in state: Workflow, after down: DownTime, isRebased: Bool, at now: Instant
  ) {
    sequence = durableSequence
    // Only the disk knows whether an acknowledgement or the press that undid it came last.
    isAcknowledged = wasAcknowledged
    isAccused = false
    if state == .alertCountdown { sending = nil }
    if state != .emergencySent { sent = nil }
    press = press.map { TimeRange(durablePress ?? .longAgo, $0.latest) }
    lastMessage = durableMessage ?? sending?.at.earliest
    messageBefore = lastMessage
    batchesSinceMessage = 0
    let elapsed = down.elapsed(at: now)
    guard elapsed != nil || isRebased else { return }
    waitsFrom = now
    guard let elapsed, !isRebased, !isWallUnknown else {
      countdownEnds = countdownEnds.map {
        TimeRange(.longAgo, now + length(to: $0, since: down.since))
      }
      map { _ in TimeRange(.longAgo, now) }
      lastMessage = nil
      messageBefore = nil
      durableMessage = nil
      return
    }
    if elapsed >= .zero {
      let shift = now - down.since - elapsed
      map { $0 + shift }
      countdownEnds = countdownEnds.map { $0 + shift }
      moveMessages(by: shift)
      if hasGoneBack {
        // Its earlier times are still ahead of that wall clock, or were until now.
        countdownEnds = countdownEnds.map {
          TimeRange(now, now + length(to: $0, since: down.since))
        }
        map { TimeRange($0.earliest, now) }
      }
    } else {
      hasGoneBack = true
      goBack(from: down.since, by: elapsed, at: now)
    }
  }

  /// The wall clock says that it is earlier than when the host went down. If it puts a known time
  /// into the future, all timers begin again. A host also knows times that cannot be seen (fixes),
  /// so without a known one either is right.
  private mutating func goBack(from since: Instant, by elapsed: Interval, at now: Instant) {
    let down = now - since
    let known = [
      sending?.at.earliest, sent?.at.earliest, durablePress, lastMessage, opened?.at.earliest,
    ]
    let isSure = known.contains { $0.map { $0 > since + elapsed } ?? false }
    if let ends = countdownEnds {
      countdownEnds = isSure ? TimeRange(now) : TimeRange(now, now + length(to: ends, since: since))
    }
    map { isSure ? TimeRange(now) : TimeRange(min(now, $0.earliest + down), now) }
    moveMessages(by: down)
  }

  /// The length of the countdown.
  private func length(to ends: TimeRange, since stopped: Instant) -> Interval {
    max(.zero, ends.latest - (opened?.at.earliest ?? stopped))
  }

  private mutating func map(_ transform: (TimeRange) -> TimeRange) {
    if let begin = sending { sending = Begin(at: transform(begin.at), run: begin.run) }
    if let begin = sent { sent = Begin(at: transform(begin.at), run: begin.run) }
    press = press.map(transform)
    opened = opened.map { Begin(at: transform($0.at), run: $0.run) }
    durablePress = durablePress.map { transform(TimeRange($0)).earliest }
  }

  private mutating func moveMessages(by shift: Interval) {
    lastMessage = lastMessage.map { $0 + shift }
    messageBefore = messageBefore.map { $0 + shift }
    durableMessage = durableMessage.map { $0 + shift }
  }
}

extension Instant {
  static let longAgo = Instant(microseconds: .min / 2)
}

/// A time that is known to lie between two; both are equal where it was seen.
struct TimeRange: Equatable, Sendable {
  var earliest: Instant
  var latest: Instant

  init(_ timestamp: Instant) { self.init(timestamp, timestamp) }

  init(_ earliest: Instant, _ latest: Instant) {
    self.earliest = earliest
    self.latest = latest
  }

  static func + (span: TimeRange, interval: Interval) -> TimeRange {
    TimeRange(span.earliest + interval, span.latest + interval)
  }
}

/// How long a host was down, by its own clocks.
struct DownTime: Sendable {
  let since: Instant
  /// By the wall clock, over all reboots; nil without a reboot, while the boot clock goes on.
  private var elapsed: Interval?
  private var countedTo: Instant

  init(since: Instant) {
    self.since = since
    countedTo = since
  }

  mutating func rebooted(elapsedByWall: Interval, at now: Instant) {
    elapsed = (elapsed ?? .zero) + elapsedByWall
    countedTo = now
  }

  /// How long a host that starts now believes that it was down; nil without a reboot, when it need
  /// not guess.
  func elapsed(at now: Instant) -> Interval? { elapsed.map { $0 + (now - countedTo) } }
}
