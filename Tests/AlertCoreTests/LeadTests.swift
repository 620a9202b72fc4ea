import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// Who of several cores has a store, and what is durable of what it has sent there.
struct LeadTests {
  private static func at(_ second: Double) -> Instant {
    Instant(microseconds: Int64(second * 1_000_000))
  }

  // MARK: Who leads

  @Test func `a core is dead once its beat has stood still for five seconds without a gap`() {
    var watch = LeaderWatch()
    func isSilent(
      _ beat: Int64, of holder: String = "a", at second: Double, after taking: Int64 = 0
    ) -> Bool {
      let now = Self.at(second)
      return watch.isSilent(holder, beat: beat, askedAt: now - .seconds(taking), at: now)
    }
    #expect(!isSilent(1, at: 100))
    #expect(!isSilent(1, at: 104.9))
    #expect(isSilent(1, at: 105))
    #expect(!watch.hasBeaten)
    #expect(!isSilent(2, at: 106), "it has beaten")
    #expect(watch.hasBeaten)
    #expect(!isSilent(2, at: 110.9))
    #expect(!isSilent(2, of: "b", at: 111), "another has it")
    #expect(!isSilent(2, of: "b", at: 115))
    watch.forget()
    #expect(!isSilent(2, of: "b", at: 117), "a beat may have been missed")
    #expect(isSilent(2, of: "b", at: 122))
    #expect(!isSilent(2, of: "b", at: 130, after: 7), "the server stood still")
    #expect(isSilent(2, of: "b", at: 135))
  }

  @Test func `a beat proves the lead for less than anybody waits who would take it`() {
    var proof = LeadProof(tookAt: Self.at(10))
    #expect(proof.holds(at: Self.at(12.9)) && !proof.holds(at: Self.at(13)))
    proof.beat(askedAt: Self.at(12))
    #expect(proof.holds(at: Self.at(14.9)) && !proof.holds(at: Self.at(15)))
    #expect(LeadProof.interval < LeaderWatch.patience)
    let last = Self.at(12) + LeaderWatch.patience
    #expect(!proof.holds(at: last - .seconds(1)), "clocks may differ by a second in five")
  }

  // MARK: What is durable

  @Test func `a batch without an answer is durable where the store has its number`() {
    var batches = FencedBatches<String>()
    #expect(batches.settle(epoch: 4, last: 0) == nil && batches.epoch == 4)
    #expect(batches.next() == 1)
    #expect(batches.next() == 2)
    batches.lostAnswer("the second")
    #expect(batches.isUnsettled)
    #expect(batches.settle(epoch: 5, last: 2) == "the second")
    #expect(!batches.isUnsettled && batches.epoch == 5)
    #expect(batches.next() == 3)
    batches.lostAnswer("the third")
    #expect(batches.settle(epoch: 6, last: 2) == nil, "it has not arrived, and never will")
    #expect(!batches.isUnsettled)
    #expect(batches.next() == 4, "a number of its own, also for the one that is sent again")
  }

  @Test(arguments: Notification.Kind.allCases)
  func `while the lead is not proved the first message of an alarm goes out, and no other`(
    _ kind: Notification.Kind
  ) {
    let now = Timestamp(boot: 1, instant: Self.at(1), wall: 1)
    let incident = Incident(
      EventRecord.press(1).incident, of: keychain, .open(.countdown(ends: now)), at: now)
    let notification = Notification(
      kind, to: Account.sample().contacts[0], of: incident, sequence: 1, position: nil, at: now)
    #expect(notification.isDueUnproved == (kind == .raise))
  }
}
