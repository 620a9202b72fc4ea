import FobBase
import Testing
import WireProtocol

@testable import AlertCore

@Suite struct MessageTests {
  private static let text = "I am at the bus stop. Please call me."

  /// Slot 1 goes to the first of two contacts.
  private static func filled(_ slots: PanicSlots = .none) -> GuardedBench {
    var guarded = GuardedBench(slots, .sample(contacts: 2))
    #expect(guarded.bench.answer(to: fill())?.refusal == nil)
    return guarded
  }

  private static func fill(
    _ slot: Int = 1, to contact: ContactID? = "contact-1", _ message: String = text
  ) -> UserCommand {
    .message(
      .fill(MessageSlot(slot: slot, contact: contact, message: message)), isProven: true)
  }

  private static func send(_ slot: Int = 1, key: String = "a") -> UserCommand {
    .message(.send(slot: slot, key: key), isProven: false)
  }

  // MARK: Slots

  @Test(arguments: [
    (String(repeating: "a", count: 160), true), (String(repeating: "a", count: 161), false),
    (String(repeating: "€", count: 80), true), (String(repeating: "€", count: 81), false),
    (String(repeating: "ж", count: 70), true), (String(repeating: "ж", count: 71), false),
    (String(repeating: "\u{1F198}", count: 35), true),
    (String(repeating: "\u{1F198}", count: 36), false),
  ])
  func `a text is as long as one SMS`(text: String, fits: Bool) {
    var bench = CoreBench()
    let refusal = bench.answer(to: Self.fill(1, to: "contact-1", text))?.refusal
    #expect((refusal == nil) == fits)
    #expect(bench.core.messages.slots[1]?.message == (fits ? text : nil))
  }

  @Test(arguments: [
    (0x2028...0x202E, false), (0x2066...0x2069, false), (0xFEFF...0xFEFF, false),
    // Marks of direction, joiners and tags, without which languages and emoji are not themselves.
    (0x200C...0x200F, true), (0xE0062...0xE007F, true),
  ])
  func `a text reads as it is stored: what hides, breaks or reorders it is refused`(
    codes: ClosedRange<UInt32>, isKept: Bool
  ) {
    for code in codes {
      guard let scalar = Unicode.Scalar(code) else { continue }
      var bench = CoreBench()
      let answer = bench.answer(to: Self.fill(1, to: "contact-1", "Call 1\(scalar)1."))
      #expect((answer?.refusal == nil) == isKept, "U+\(String(code, radix: 16))")
    }
  }

  @Test func `a text that is too long is refused with its length`() {
    #expect(GSM7.overlong(String(repeating: "a", count: 161))?.contains("161") == true)
    #expect(GSM7.overlong(String(repeating: "ж", count: 71))?.contains("71") == true)
  }

  @Test func `filling and emptying a slot needs the PIN, sending does not`() {
    var bench = CoreBench()
    let slot = MessageSlot(slot: 1, contact: "contact-1", message: Self.text)
    let unproven = UserCommand.message(.fill(slot), isProven: false)
    #expect(bench.answer(to: unproven)?.refusal == .pinNeeded)
    #expect(bench.answer(to: Self.fill())?.refusal == nil)
    #expect(
      bench.answer(to: .message(.empty(slot: 1), isProven: false))?.refusal == .pinNeeded)
    #expect(bench.answer(to: Self.send())?.refusal == nil)
    #expect(bench.answer(to: .message(.empty(slot: 1), isProven: true))?.refusal == nil)
    #expect(bench.core.completeSlots == .none)
  }

  @Test func `a slot has one recipient, and only such as are there`() {
    var bench = CoreBench()
    #expect(bench.answer(to: Self.fill(6))?.refusal == .invalid("slot", "is not 1 to 5"))
    #expect(bench.answer(to: Self.fill(1, to: "contact-9"))?.refusal == .unknownContact)
    let both = MessageSlot(slot: 1, contact: "contact-1", name: "Contact 3", message: "a")
    guard
      case .invalid("contact", _)? = bench.answer(to: .message(.fill(both), isProven: true))?
        .refusal
    else {
      Issue.record("two recipients were taken")
      return
    }
  }

  @Test func `without recipient, text or way to them a slot is not complete`() {
    var bench = CoreBench(ways: ["contact-1": [], "contact-2": ["sms"]])
    _ = bench.answer(to: Self.fill(1, to: nil))
    _ = bench.answer(to: Self.fill(2, to: "contact-2", ""))
    _ = bench.answer(to: Self.fill(3, to: "contact-1"))
    _ = bench.answer(to: Self.fill(4, to: "contact-2"))
    #expect(bench.core.completeSlots.numbers == [4])
    #expect(bench.answer(to: Self.send(3))?.refusal == .incomplete)
    #expect(bench.happened(.messageFailed).count == 1)
    #expect(bench.deliveries.isEmpty)
  }

  // MARK: Clicks

  @Test func `clicks send the message of a slot that is complete, and raise no alarm`() {
    var guarded = Self.filled()
    let clicks = guarded.click(2)
    #expect(guarded.meaning(clicks[0]) == .slot(1))
    #expect(guarded.bench.incident == nil)
    #expect(guarded.bench.deliveries.map(\.notification.words) == [Self.text])
    #expect(guarded.bench.deliveries.map(\.notification.contact.id) == ["contact-1"])
    #expect(guarded.bench.core.messages.sends.map(\.state) == [.taken])
    #expect(guarded.bench.happened(.messageAsked).count == 1)
    #expect(guarded.bench.happened(.messageTaken).count == 1)
  }

  @Test(arguments: 2...6)
  func `clicks for a slot that is not complete raise the alarm`(count: Int) {
    var guarded = GuardedBench(.none, .sample(contacts: 2))
    guarded.click(count)
    #expect(guarded.bench.state.isOpen)
    var emptied = Self.filled()
    _ = emptied.bench.answer(to: .message(.empty(slot: 1), isProven: true))
    emptied.click(count)
    #expect(emptied.bench.state.isOpen)
    #expect(emptied.bench.deliveries(.message).isEmpty)
  }

  @Test func `a contact who is removed takes the message along, and clicks raise the alarm`() {
    var guarded = Self.filled()
    _ = guarded.bench.answer(to: .change(.removeContact("contact-1"), isProven: true))
    guarded.click(2)
    #expect(guarded.bench.state.isOpen)
  }

  @Test func `while an alarm is open clicks are entries of it, and nothing is sent`() {
    var guarded = Self.filled()
    guarded.click(3)
    let open = guarded.bench.incident
    #expect(open?.state.isOpen == true)
    let clicks = guarded.click(2)
    #expect(guarded.bench.incident?.presses.count == (open?.presses.count ?? 0) + 2)
    #expect(guarded.meaning(clicks[0]) == .slot(1))
    #expect(guarded.bench.deliveries(.message).isEmpty)
    #expect(guarded.bench.answer(to: Self.send())?.refusal == .locked)
  }

  @Test func `clicks that come too late are not sent, and the light says so for a minute`() {
    var guarded = Self.filled()
    let began = guarded.now
    let edges = [0, 200_000, 400_000, 600_000].enumerated().map { index, at in
      guarded.edge(index % 2 == 0 ? .pressed : .released, at: began + Int64(at))
    }
    guarded.bench.run(for: .seconds(12))
    for edge in edges { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.incident == nil && guarded.bench.deliveries.isEmpty)
    #expect(guarded.bench.happened(.messageFailed).count == 1)
    #expect(guarded.bench.indication?.state == .failed)
    guarded.bench.run(for: .seconds(61))
    #expect(guarded.bench.indication?.state == .idle)
  }

  @Test func `a keychain of nobody sends none of the messages`() {
    var account = Account.sample(contacts: 2)
    account.devices = [otherKeychain.text]
    var guarded = GuardedBench(.none, account)
    _ = guarded.bench.answer(to: Self.fill())
    guarded.click(2)
    #expect(guarded.bench.deliveries.isEmpty)
    #expect(guarded.bench.incident?.isUnclaimed == true)
  }

  @Test(arguments: 2...6)
  func `R64: the message goes out within 600 ms of the last release`(count: Int) {
    var guarded = Self.filled()
    for slot in 2...5 { _ = guarded.bench.answer(to: Self.fill(slot)) }
    let records = guarded.click(count)
    let released = guarded.start + .microseconds(Int64(records.last!.identity.clock) - 5_000_000)
    let told = guarded.bench.deliveries(.message)
    #expect(told.count == 1)
    #expect(told[0].at.since(released) <= .milliseconds(600))
  }

  // MARK: Sends

  @Test func `two sends of a slot within a minute are one, and one of each key`() {
    var bench = CoreBench()
    _ = bench.answer(to: Self.fill())
    for key in ["a", "b", "a"] { _ = bench.answer(to: Self.send(key: key)) }
    bench.run(for: .seconds(61))
    _ = bench.answer(to: Self.send(key: "a"))
    #expect(bench.deliveries.count == 1)
    _ = bench.answer(to: Self.send(key: "c"))
    bench.run(for: .seconds(1))
    #expect(bench.deliveries.count == 2)
    #expect(Set(bench.deliveries.map(\.notification.key)).count == 2)
  }

  @Test func `the light says sending until it is taken, then accepted for five seconds`() {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    bench.otherSinks = .accepts(after: .seconds(3))
    _ = bench.answer(to: Self.fill())
    _ = bench.answer(to: Self.send())
    bench.run(for: .seconds(2))
    #expect(bench.indication == Indication(state: .sending))
    bench.run(for: .seconds(2))
    #expect(bench.indication == Indication(state: .accepted))
    bench.run(for: .seconds(5))
    #expect(bench.indication?.state == .idle)
  }

  @Test func `what nobody takes is tried again for fifteen minutes, then it has failed`() {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    bench.otherSinks = .refuses
    _ = bench.answer(to: Self.fill())
    _ = bench.answer(to: Self.send())
    bench.run(for: .minutes(14))
    #expect(bench.indication?.state == .sending)
    bench.run(for: .minutes(1) + .seconds(1))
    #expect(bench.core.messages.sends.map(\.state) == [.failed])
    #expect(bench.indication?.state == .failed)
    bench.run(for: .seconds(61))
    #expect(bench.indication?.state == .idle)
    #expect(bench.deliveries.count > 20)
    #expect(Set(bench.deliveries.map(\.notification.key)).count == 1)
  }

  @Test func `an alarm's light and messages go before a message`() {
    var guarded = Self.filled()
    guarded.bench.otherSinks = .accepts(after: .seconds(2))
    guarded.bench.storeBehaviour = .silent
    guarded.click(2)
    let before = guarded.bench.deliveries.count
    guarded.bench.press(guarded.edge(.pressed, at: guarded.now))
    guarded.bench.run(for: .seconds(1))
    #expect(before == 1, "a store that hangs holds a message for 100 ms")
    guarded.bench.run(for: .seconds(5))
    #expect(guarded.bench.indication?.incident != 0)
    #expect(guarded.bench.deliveries(.raise).count == 2)
  }

  @Test func `a message waits for an alarm's message to the same person`() {
    var bench = CoreBench()
    bench.otherSinks = .accepts(after: .seconds(3))
    _ = bench.answer(to: Self.fill())
    bench.sinks["contact-1"] = .refuses
    _ = bench.answer(to: Self.send())
    bench.sinks["contact-1"] = .silent
    bench.press(.press(1))
    bench.run(for: .seconds(30))
    let kinds = bench.deliveries(to: "contact-1").map(\.notification.kind)
    #expect(kinds == [.message, .raise])
  }

  @Test func `a slot that is emptied cancels what was not handed out`() {
    var bench = CoreBench()
    _ = bench.answer(to: Self.fill())
    bench.storeBehaviour = .silent
    bench.perform(Self.send())
    bench.perform(.message(.empty(slot: 1), isProven: true))
    bench.run(for: .seconds(1))
    #expect(bench.core.messages.sends.map(\.state) == [.cancelled])
    #expect(bench.deliveries.isEmpty)
  }

  @Test func `the position that is known is sent behind the text, and counts as 35 characters`() {
    let fit = String(repeating: "a", count: 125)
    let cases = [(fit, true, true), (fit + "a", true, false), (fit + "a", false, true)]
    for (text, adds, fits) in cases {
      var bench = CoreBench()
      let slot = MessageSlot(slot: 1, contact: "contact-1", message: text, addsPosition: adds)
      let refusal = bench.answer(to: .message(.fill(slot), isProven: true))?.refusal
      #expect((refusal == nil) == fits)
    }
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    let slot = MessageSlot(
      slot: 1, contact: "contact-1", message: "Here", addsPosition: true)
    _ = bench.answer(to: .message(.fill(slot), isProven: true))
    _ = bench.answer(to: Self.send(key: "a"))
    bench.hand(.position(line, .good(481_371_540)))
    bench.run(for: .minutes(2))
    _ = bench.answer(to: Self.send(key: "b"))
    bench.run(for: .minutes(31))
    _ = bench.answer(to: Self.send(key: "c"))
    bench.run(for: .seconds(1))
    let words = bench.deliveries.compactMap(\.notification.words)
    #expect(words.count == 3 && words[0] == "Here" && words[2] == "Here")
    #expect(words[1].hasPrefix("Here geo:48.1371540,"))
    #expect(words[1].count <= "Here".count + Position.longestText)
  }

  @Test func `the longest position is as long as is counted`() {
    let far = Position(latitude: -900_000_000, longitude: -1_800_000_000, quality: 2, wall: 0)
    #expect(far.text(.utc).count == Position.longestText)
    #expect(far.text(.utc) == " geo:-90.0000000,-180.0000000 00:00")
  }

  @Test func `help links have a label, and a number or an https address, ten at most`() {
    var bench = CoreBench()
    let link = HelpLink(label: "Crisis line", phone: "988", address: "https://example.org/")
    func refusal(_ links: [HelpLink]) -> UserCommand.Refusal? {
      bench.answer(to: .message(.links(links), isProven: false))?.refusal
    }
    #expect(refusal([link]) == nil)
    #expect(refusal([HelpLink(label: "a", address: "http://example.org/")]) != nil)
    #expect(refusal([HelpLink(label: "a")]) != nil)
    #expect(refusal([HelpLink(label: "", phone: "988")]) != nil)
    #expect(refusal(Array(repeating: link, count: 11)) == .tooMany("help links", limit: 10))
    #expect(bench.core.messages.links == [link])
    #expect(bench.happened(.helpLinksChanged).count == 1)
    bench.restart()
    #expect(bench.core.messages.links == [link])
  }

  // MARK: Restart

  @Test func `a restart sends on what was not taken, and no more than that`() {
    var guarded = Self.filled()
    guarded.bench.otherSinks = .silent
    guarded.click(2)
    #expect(guarded.bench.deliveries.count == 1)
    guarded.bench.restart()
    guarded.bench.otherSinks = .acceptsAtOnce
    guarded.bench.run(for: .seconds(1))
    guarded.bench.restart()
    guarded.bench.run(for: .minutes(2))
    guarded.bench.run(for: .minutes(2))
    #expect(guarded.bench.deliveries.count <= 3)
    #expect(Set(guarded.bench.deliveries.map(\.notification.key)).count == 1)
    #expect(guarded.bench.core.messages.sends.map(\.state) == [.taken])
    #expect(guarded.bench.core.completeSlots.numbers == [1])
  }

  @Test func `a bench's keychain and a bench's account send to test receivers alone`() {
    var policy = Policy()
    policy.isBench = true
    var bench = CoreBench(.sample(), policy)
    _ = bench.answer(to: Self.fill())
    _ = bench.answer(to: Self.send())
    bench.run(for: .seconds(1))
    #expect(bench.deliveries.map(\.notification.isBench) == [true])
  }
}
