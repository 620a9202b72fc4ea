import FobBase
import SerialIO
import Sinks
import Synchronization
import Testing

@testable import AlertCore
@testable import Bridge
@testable import WireProtocol

@Suite struct SinkQueueTests {
  /// Its answers are of no interest.
  private let sender = Sender { _, _ in }

  @Test func `a full queue refuses at once, and says whose it is`() throws {
    let queues = try SinkQueues([try RecordingSink()], limit: 3)
    for n in 1...3 { #expect(queues.put(Self.notification(n), from: sender) == nil) }
    #expect(
      queues.put(Self.notification(4), from: sender)
        == "recording sink: too many messages wait for it")
  }

  @Test func `a message that is put again waits once`() throws {
    let queues = try SinkQueues([try RecordingSink()], limit: 1)
    for _ in 1...10 { #expect(queues.put(Self.notification(1), from: sender) == nil) }
  }

  @Test func `an alarm does not wait for a message that hangs in its channel`() throws {
    let sink = try SilentSink()
    let queues = try SinkQueues([sink], limit: 3)
    let isTold = try EventSignal()
    let sender = Sender { key, refusal in
      if refusal == nil, key.contains("/raise/") { isTold.signal() }
    }
    let threads = try queues.start(prepare: {})
    for n in 1...2 { #expect(queues.put(Self.message(n), from: sender) == nil) }
    #expect(queues.put(Self.notification(3), from: sender) == nil)
    let events = try Syscall.poll(isTold.descriptor, for: 1, until: BootClock.now() + .seconds(20))
    #expect(events != 0)
    queues.close()
    sink.end.signal()
    for thread in threads { #expect(thread.join(within: .seconds(5))) }
  }

  @Test func `a message replaces what waits of the same alarm, and not of another account's`()
    throws
  {
    let queues = try SinkQueues([try RecordingSink()], limit: 2)
    for _ in 1...3 {
      for account in [sender, Self.other] {
        #expect(queues.put(Self.notification(1), from: account) == nil)
      }
    }
  }

  private static let other = Sender { _, _ in }

  @Test func `one account's flood delays another's message by one at most`() throws {
    let queue = try SinkQueue(limit: 100)
    for n in 1...100 { #expect(queue.put(Self.notification(n), from: sender)) }
    #expect(!queue.put(Self.notification(101), from: sender))
    for n in 1...3 { #expect(queue.put(Self.notification(n), from: Self.other)) }
    let taken = (1...103).compactMap { _ in queue.take() }
    #expect(taken.count == 103)
    #expect(
      taken.prefix(6).map { $0.sender === Self.other } == [false, true, false, true, false, true])
    for account in [sender, Self.other] {
      let own = taken.filter { $0.sender === account }.map {
        $0.notification.incident.wire & 0xFFFF_FFFF
      }
      #expect(own == own.sorted() && Set(own).count == own.count)
    }
  }

  @Test func `attempts take the ways in their order and begin again`() throws {
    let queues = try SinkQueues(
      [try RecordingSink("a"), try RecordingSink("b"), try RecordingSink("c")], limit: 0)
    for (ways, expected) in [([], "abcabc"), (["c", "a"], "cacaca"), (["b"], "bbbbbb")] {
      let tried = (1...6).map { attempt in
        queues.put(Self.notification(1, attempt: attempt, ways: ways), from: sender)?.prefix(1)
          ?? ""
      }
      #expect(tried.joined() == expected)
    }
  }

  @Test func `a way that is not configured is refused by name`() throws {
    let queues = try SinkQueues([try RecordingSink()], limit: 1)
    #expect(
      queues.put(Self.notification(1, ways: ["fax"]), from: sender)
        == "fax sink: no notification channel has this name: see `sinks`")
  }

  @Test(arguments: [1, 2, 7])
  func `each message is answered once, by whichever thread`(width: Int) throws {
    let sink = try RecordingSink(refusals: 50, width: width)
    let queues = try SinkQueues([sink], limit: 1_000)
    let answers = Mutex<[String: [Bool]]>([:])
    let isDone = try EventSignal()
    let sender = Sender { key, refusal in
      answers.withLock { answers in
        answers[key, default: []].append(refusal == nil)
        if answers.count == 200 { isDone.signal() }
      }
    }
    let threads = try queues.start(prepare: {})
    for n in 1...200 { #expect(queues.put(Self.notification(n), from: sender) == nil) }
    let events = try Syscall.poll(
      isDone.descriptor, for: 1, until: BootClock.now() + .seconds(20))
    #expect(events != 0)
    queues.close()
    for thread in threads { #expect(thread.join(within: .seconds(5))) }
    let all = answers.withLock { $0 }
    #expect(all.count == 200)
    #expect(all.values.allSatisfy { $0.count == 1 })
    #expect(all.values.filter { $0 == [false] }.count == 50)
  }

  /// Receivers know a first message by its key, whichever core sends it; the rest may be untrue.
  @Test func `while another core may lead, first messages of alarms go out, and the rest waits`()
    throws
  {
    let isLeading = Mutex(false)
    let queues = try SinkQueues([try RecordingSink()], limit: 9) { isLeading.withLock { $0 } }
    let answered = Mutex<[String]>([])
    let isAnswered = try EventSignal()
    let sender = Sender { key, refusal in
      answered.withLock { $0.append(refusal.map { "\(key): \($0)" } ?? key) }
      isAnswered.signal()
    }
    func wait(for count: Int) throws {
      while answered.withLock({ $0.count }) < count {
        try #require(
          Syscall.poll(isAnswered.descriptor, for: 1, until: BootClock.now() + .seconds(20)) != 0)
        isAnswered.clear()
      }
    }
    let threads = try queues.start(prepare: {})
    let kinds: [Notification.Kind] = [.update, .again, .closing, .raise, .raise]
    let alarms = kinds.enumerated().map { Self.notification($0 + 1, $1) }
    for notification in alarms + [Self.message(9)] {
      #expect(queues.put(notification, from: sender) == nil)
    }
    try wait(for: 2)
    #expect(answered.withLock { $0 } == alarms.suffix(2).map(\.key))
    isLeading.withLock { $0 = true }
    try wait(for: 6)
    let expected = Set((alarms + [Self.message(9)]).map(\.key))
    #expect(Set(answered.withLock { $0 }) == expected, "each once, and none is refused")
    queues.close()
    for thread in threads { #expect(thread.join(within: .seconds(5))) }
  }

  private static func message(_ n: Int) -> Notification {
    let alarm = notification(n)
    return Notification(
      MessageSend(
        id: alarm.incident, slot: 1, recipient: alarm.contact, message: "Call me", by: "button",
        isBench: true, decidedWall: 0), decidedAt: alarm.decidedAt)
  }

  private static func notification(
    _ n: Int, _ kind: Notification.Kind = .raise, attempt: Int = 1, ways: [String] = []
  ) -> Notification {
    let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0)
    let identity = EventIdentity(
      deviceID: .bench(1), number: EventNumber(boot: 1, n: UInt32(n)), kind: .pressed, clock: 1,
      bootNonce: 1)
    var contact = BridgeRig.account.contacts[0]
    contact.ways = ways
    var notification = Notification(
      kind, to: contact,
      of: Incident(
        IncidentID(identity), of: identity.deviceID,
        .open(.sending(Stage.Sending(since: now))), at: now),
      sequence: 1, position: nil, at: now)
    notification.attempts = attempt
    return notification
  }
}

/// An account that sends messages.
private final class Sender: NotificationSender {
  private let answer: @Sendable (String, String?) -> Void

  init(_ answer: @escaping @Sendable (String, String?) -> Void) { self.answer = answer }

  func compose(_ notification: Notification) -> OutgoingMessage {
    OutgoingMessage(
      notification, account: BridgeRig.account,
      now: Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0))
  }

  func answered(_ key: String, _ refusal: String?) { answer(key, refusal) }
}

/// A channel that takes alarms, and hangs in each message until it is told to end.
private final class SilentSink: Sink {
  let end: EventSignal
  let name = "silent"
  let isTest = true

  init() throws { end = try EventSignal() }

  func deliver(_ message: OutgoingMessage) {
    guard message.kind == .message else { return }
    while (try? Syscall.poll(end.descriptor, for: 1)) == 0 {}
  }
}
