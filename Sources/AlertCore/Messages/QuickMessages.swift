import FobBase
import WireProtocol

/// The five messages of an account (R62 to R68): what their slots hold, what is sent now, and what
/// became of what was sent. It decides; the core performs.
///
/// ```
/// decided → waiting ⇄ under way → taken | failed after 15 min | cancelled
/// ```
public struct QuickMessages: Sendable {
  /// By number; an empty slot has none.
  public internal(set) var slots: [Int: MessageSlot] = [:]
  /// Those that are over, the latest last.
  public internal(set) var over: [MessageSend] = []
  /// Where the owner finds help.
  public internal(set) var links: [HelpLink] = []
  var running: [Running] = []
  /// What lights show after the end of a send, and until when.
  private var shown: (state: ShownState, until: Timestamp)?

  /// A send under way, and what is due of it by the clock of this boot.
  struct Running: Sendable {
    var send: MessageSend
    let decidedAt: Timestamp
    /// The decision for it; nil: that is not handed on yet.
    var decision: UInt64?
    /// While waiting: when it is handed out. While under way: when its channel is taken to have
    /// refused.
    var due: Timestamp
    let failsAt: Timestamp
  }

  /// Sends of one slot within this time are one.
  static let oneWithin = Interval.seconds(60)
  /// How many sends that are over are kept.
  static let history = 1_000

  /// Empty slots, and nothing sent.
  public init() {}

  /// All sends, the latest last.
  public var sends: [MessageSend] { over + running.map(\.send) }

  /// The send that a request with this key asked for: its own, or the one that it joined; nil where
  /// there is none.
  package func send(askedBy key: String, slot: Int) -> MessageSend? {
    let id = IncidentID(messageKey: key)
    let ofSlot = sends.filter { $0.slot == slot }
    return sends.first { $0.id == id } ?? ofSlot.max { $0.decidedWall < $1.decidedWall }
  }

  /// A message is on its way.
  @inline(__always)
  public var isSending: Bool { !running.isEmpty }

  /// What lights show of the messages; nil: nothing.
  @inline(__always)
  func light(at now: Timestamp) -> ShownState? {
    if isSending { return .sending }
    return shown.flatMap { now.at < $0.until.at ? $0.state : nil }
  }

  /// When something is due.
  @inline(__always)
  var nextWake: Timestamp? {
    running.reduce(shown?.until) { .earlier(.earlier($0, $1.due), $1.failsAt) }
  }

  // MARK: Slots

  mutating func fill(
    _ slot: MessageSlot, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    slots[slot.slot] = slot
    output.changes.quickMessages.append(.slot(slot))
    note(.slotChanged, slot.slot, by: who, at: now, &output)
  }

  mutating func empty(_ slot: Int, by who: String, at now: Timestamp, _ output: inout CoreOutput) {
    slots[slot] = nil
    output.changes.quickMessages.append(.slotEmptied(slot))
    note(.slotChanged, slot, by: who, at: now, &output)
    for index in running.indices.reversed()
    where running[index].send.slot == slot && running[index].send.attempts == 0 {
      finish(index, .cancelled, .messageCancelled, at: now, &output)
    }
  }

  mutating func replace(
    _ links: [HelpLink], by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    self.links = links
    output.changes.quickMessages.append(.links(links))
    output.note(AuditEvent(.helpLinksChanged, at: now, by: who))
  }

  private func note(
    _ name: AuditEvent.Name, _ slot: Int, by who: String = "core", of event: EventIdentity? = nil,
    attempt: Int? = nil, error: String? = nil, at now: Timestamp, _ output: inout CoreOutput
  ) {
    output.note(
      AuditEvent(
        name, at: now, by: who, of: event,
        .slot(UInt8(clamping: slot), attempt: attempt, error: error)))
  }

  // MARK: Asking

  /// Asks for a send. One that is known, or the slot's second within 60 s, is the one before.
  mutating func ask(
    _ send: MessageSend, of event: EventIdentity? = nil, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    guard !isKnown(send.id), !joins(send) else { return }
    running.append(
      Running(
        send: send, decidedAt: now, decision: nil, due: now + .milliseconds(100),
        failsAt: now + .minutes(15)))
    output.changes.quickMessages.append(.send(send))
    note(.messageAsked, send.slot, by: send.by, of: event, at: now, &output)
  }

  /// Clicks that came too late to be sent.
  mutating func askedTooLate(
    _ send: MessageSend, of event: EventIdentity, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard !isKnown(send.id) else { return }
    var late = send
    late.lastError = "the clicks came too late"
    end(&late, .failed, .messageFailed, of: event, at: now, &output)
  }

  private func isKnown(_ id: IncidentID) -> Bool {
    running.contains { $0.send.id == id } || over.contains { $0.id == id }
  }

  private func joins(_ send: MessageSend) -> Bool {
    func isOne(_ other: MessageSend) -> Bool {
      let since = send.decidedWall.since(other.decidedWall)
      return other.slot == send.slot && other.state != .failed && other.state != .cancelled
        && since >= 0 && since < Self.oneWithin.microseconds
    }
    return running.contains { isOne($0.send) } || over.contains(where: isOne)
  }

  // MARK: Handing out

  /// The changes up to now have this decision.
  mutating func handedOn(_ decision: UInt64) {
    for index in running.indices where running[index].decision == nil {
      running[index].decision = decision
    }
  }

  /// Some decision is not handed on yet.
  @inline(__always)
  var hasNews: Bool { running.contains { $0.decision == nil } }

  /// All up to this decision is committed, or its commit has failed.
  mutating func settled(upTo decision: UInt64, at now: Timestamp) {
    for index in running.indices where running[index].send.state == .decided {
      if running[index].decision.map({ $0 <= decision }) ?? false { running[index].due = now }
    }
  }

  /// The messages to hand out now.
  /// - Parameters:
  ///   - answerWithin: a channel that says nothing for so long has refused.
  ///   - isBehind: an alarm's message to this person goes first.
  mutating func takeDue(
    at now: Timestamp, answerWithin: Interval, _ output: inout CoreOutput,
    isBehind: (Contact) -> Bool
  ) -> [Notification] {
    var due: [Notification] = []
    for index in running.indices
    where running[index].send.state != .underWay && running[index].due.at <= now.at {
      guard !isBehind(running[index].send.recipient) else {
        running[index].due = now + .seconds(1)
        continue
      }
      running[index].send.state = .underWay
      running[index].send.attempts += 1
      running[index].due = now + answerWithin
      let notification = running[index].send.notification(at: running[index].decidedAt)
      running[index].send.way = notification.way
      output.changes.quickMessages.append(.send(running[index].send))
      due.append(notification)
    }
    return due
  }

  /// Gives up what nobody accepted in time.
  mutating func pass(at now: Timestamp, _ output: inout CoreOutput) {
    for index in running.indices.reversed() {
      if running[index].failsAt.at <= now.at {
        finish(index, .failed, .messageFailed, at: now, &output)
      } else if running[index].send.state == .underWay, running[index].due.at <= now.at {
        refused(index, "no answer", at: now, &output)
      }
    }
    if let until = shown?.until, until.at <= now.at { shown = nil }
    while over.count > Self.history {
      output.changes.quickMessages.append(.sendRemoved(over.removeFirst().id))
    }
  }

  /// Takes a channel's answer. An acceptance counts however late it comes.
  mutating func answered(
    _ key: String, _ error: String?, at now: Timestamp, _ output: inout CoreOutput
  ) {
    if let index = running.firstIndex(where: { $0.send.attempts > 0 && $0.send.key == key }) {
      if let error {
        if running[index].send.state == .underWay { refused(index, error, at: now, &output) }
      } else {
        running[index].send.lastError = nil
        finish(index, .taken, .messageTaken, at: now, &output)
      }
    } else if error == nil,
      let index = over.firstIndex(where: {
        $0.state == .failed && $0.attempts > 0 && $0.key == key
      })
    {
      var late = over.remove(at: index)
      late.lastError = nil
      end(&late, .taken, .messageTaken, at: now, &output)
    }
  }

  /// It goes to the next channel at once; after the last one it waits 1 s, doubled each round, 30 s
  /// at most.
  private mutating func refused(
    _ index: Int, _ error: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let ways = max(running[index].send.recipient.ways.count, 1)
    let (round, tried) = running[index].send.attempts.quotientAndRemainder(dividingBy: ways)
    let wait = Interval.seconds(Int64(1 << min(max(round - 1, 0), 5)))
    running[index].send.state = .waiting
    running[index].send.lastError = error
    running[index].due = tried == 0 ? now + min(wait, .seconds(30)) : now
    output.changes.quickMessages.append(.send(running[index].send))
  }

  private mutating func finish(
    _ index: Int, _ state: MessageSend.State, _ name: AuditEvent.Name, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    var send = running.remove(at: index).send
    end(&send, state, name, at: now, &output)
  }

  private mutating func end(
    _ send: inout MessageSend, _ state: MessageSend.State, _ name: AuditEvent.Name,
    of event: EventIdentity? = nil, at now: Timestamp, _ output: inout CoreOutput
  ) {
    send.state = state
    send.endedWall = now.wall
    over.append(send)
    output.changes.quickMessages.append(.send(send))
    switch state {
    case .taken: shown = (.accepted, now + .seconds(5))
    case .failed: shown = (.failed, now + .seconds(60))
    default: break
    }
    note(
      name, send.slot, of: event, attempt: send.attempts > 0 ? send.attempts : nil,
      error: send.lastError, at: now, &output)
  }

  // MARK: Restart

  /// What was on its way goes out again at once, to be accepted within what is left of its time.
  mutating func recover(_ stored: StoredMessages, at now: Timestamp) {
    slots = Dictionary(stored.slots.map { ($0.slot, $0) }) { $1 }
    links = stored.links
    let sends = stored.sends.sorted { ($0.decidedWall, $0.id.wire) < ($1.decidedWall, $1.id.wire) }
    over = sends.filter(\.state.isOver)
    for var send in sends where !send.state.isOver {
      let age = min(max(0, now.wall.since(send.decidedWall)), 15 * 60_000_000)
      send.state = .waiting
      running.append(
        Running(
          send: send, decidedAt: now + .microseconds(-age), decision: 0, due: now,
          failsAt: now + .microseconds(15 * 60_000_000 - age)))
    }
    let since = over.filter { $0.state == .failed }.compactMap(\.endedWall).max()
      .map { now.wall.since($0) }
    if let since, since >= 0, since < 60_000_000 {
      shown = (.failed, now + .microseconds(60_000_000 - since))
    }
  }

  /// Sets the channels of recovered messages, which are not stored.
  mutating func know(_ ways: [ContactID: [String]]) {
    for index in running.indices where running[index].send.recipient.ways.isEmpty {
      running[index].send.recipient.ways = ways[running[index].send.recipient.id] ?? []
    }
  }
}
