import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

struct NameTests {
  @Test func `an incident's name can be read back`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let identity = EventIdentity(
        deviceID: DeviceID(rawValue: random.next()), number: EventNumber(rawValue: random.next()),
        kind: .pressed, clock: random.next(), bootNonce: UInt32(truncatingIfNeeded: random.next()))
      let id = IncidentID(identity)
      #expect(IncidentID(id.description) == id)
      #expect(id.wire >> 32 == UInt64(identity.crc))
    }
  }

  @Test(arguments: [
    "", "--", "0123456789abcdef-00000001", "0123456789ABCDEF-00000001-0000000000000b0b",
    "+123456789abcdef-00000001-0000000000000b0b", "0123456789abcdef-00000001-0000000000000b0b-",
    "0123456789abcdeg-00000001-0000000000000b0b", "123456789abcdef-000000001-0000000000000b0b",
  ])
  func `another text is no incident's name`(_ text: String) {
    #expect(IncidentID(text) == nil)
  }

  @Test func `two events have two names`() {
    let names: [EventRecord] = [
      .press(1), .press(2), .press(1, boot: 2), .press(1, device: otherKeychain),
      .press(1, clock: 3), .press(1, nonce: 3),
    ]
    #expect(Set(names.map(\.incident)).count == names.count)
    #expect(Set(names.map(\.incident.wire)).count == names.count)
  }

  @Test func `a moment of the same boot stays, whatever the wall clock says`() {
    let timestamp = Timestamp(boot: 1, instant: Instant(microseconds: 50), wall: 9_000)
    let now = Timestamp(boot: 1, instant: Instant(microseconds: 70), wall: 1)
    #expect(timestamp.rebased(to: now).timestamp == timestamp)
    #expect(!timestamp.rebased(to: now).clockWentBack)
  }

  @Test func `a moment of another boot lies as far back as the wall clock says, at least zero`() {
    let timestamp = Timestamp(boot: 1, instant: Instant(microseconds: 50), wall: 9_000)
    let later = Timestamp(boot: 2, instant: Instant(microseconds: 10), wall: 9_400)
    #expect(later.since(timestamp.rebased(to: later).timestamp) == .microseconds(400))
    let earlier = Timestamp(boot: 2, instant: Instant(microseconds: 10), wall: 8_999)
    #expect(timestamp.rebased(to: earlier).clockWentBack)
    #expect(earlier.since(timestamp.rebased(to: earlier).timestamp) == .zero)
  }
}

struct KnownEventsTests {
  @Test func `the oldest identities are forgotten beyond the limit, the newest never`() {
    var known = KnownEvents()
    let further: UInt32 = 5_000
    let all = UInt32(Limits.knownEvents) + further
    for n in 1...all { known.commit(EventRecord.press(n).identity) }
    for n in [1, 2, further - 1, further] {
      #expect(known.state(of: EventRecord.press(n).identity) == .new)
      #expect(!known.isNumberReused(by: EventRecord.press(n, clock: 1).identity))
    }
    for n in [further + 1, all - 1, all] {
      #expect(known.state(of: EventRecord.press(n).identity) == .committed)
      #expect(known.isNumberReused(by: EventRecord.press(n, clock: 1).identity))
    }
  }

  @Test func `of two events with one number each is forgotten in its own turn`() {
    var known = KnownEvents()
    let identity = EventRecord.press(1).identity
    let other = EventRecord.press(1, clock: 7).identity
    let last = UInt32(Limits.knownEvents)
    known.commit(identity)
    known.commit(other)
    for n in 2..<last { known.commit(EventRecord.press(n).identity) }
    #expect(known.state(of: identity) == .committed && known.state(of: other) == .committed)
    known.commit(EventRecord.press(last).identity)
    #expect(known.state(of: identity) == .new && known.state(of: other) == .committed)
    known.commit(EventRecord.press(last + 1).identity)
    #expect(known.state(of: other) == .new)
    #expect(known.state(of: EventRecord.press(2).identity) == .committed)
  }

  @Test func `an event is pending until its commit`() {
    var known = KnownEvents()
    let identity = EventRecord.press(1).identity
    #expect(known.state(of: identity) == .new)
    known.add(identity, from: LinkID(rawValue: 3))
    #expect(known.state(of: identity) == .pending)
    known.commit(identity)
    #expect(known.state(of: identity) == .committed)
  }

  @Test func `the ack of an event goes to the line that it came by last, once`() {
    var known = KnownEvents()
    let identity = EventRecord.press(1).identity
    known.add(identity, from: LinkID(rawValue: 3))
    known.add(identity, from: LinkID(rawValue: 4))
    #expect(known.commit(identity) == LinkID(rawValue: 4))
    #expect(known.commit(identity) == nil)
  }
}

extension KnownEvents {
  fileprivate func state(of identity: EventIdentity) -> State { look(at: identity).state }

  fileprivate func isNumberReused(by identity: EventIdentity) -> Bool {
    look(at: identity).isNumberReused
  }
}
