import Bridge
import FobBase
import Testing
import WireProtocol

@testable import AlertCore
@testable import fob

/// What happens in a `fob run` that has a view, as it is kept of each account.
@Suite struct RunJournalTests {
  private static let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0)
  private static let second = AccountNumber(2)!

  private static func opened(_ event: UInt32) -> AuditEvent {
    AuditEvent(
      .incidentOpened, at: now, number: EventNumber(boot: 1, n: event), of: DeviceID(rawValue: 1))
  }

  private static func withdrawn(from contact: ContactID) -> AuditEvent {
    var event = AuditEvent(.withdrawn, at: now)
    event.contact = contact
    return event
  }

  private func told(_ journal: RunJournal, of account: AccountNumber) -> [String] {
    var run = RunState()
    journal.fill(&run, of: account)
    return run.told.map(\.contact)
  }

  @Test func `who was told is kept of each account`() throws {
    let journal = try RunJournal(began: Instant(microseconds: 0))
    journal.note(.auditEvent(Self.withdrawn(from: "contact-1")))
    journal.note(.otherAuditEvent(Self.withdrawn(from: "contact-2"), of: Self.second))
    #expect(told(journal, of: .first) == ["contact-1"])
    #expect(told(journal, of: Self.second) == ["contact-2"])
    journal.note(.otherAuditEvent(Self.opened(2), of: Self.second))
    #expect(told(journal, of: .first) == ["contact-1"])
    #expect(told(journal, of: Self.second).isEmpty)
  }

  @Test func `alarms of all accounts are counted, and one that goes to its owner once`() throws {
    let journal = try RunJournal(began: Instant(microseconds: 0))
    journal.note(.auditEvent(Self.opened(2)))
    journal.note(.otherAuditEvent(Self.opened(2), of: Self.second))
    journal.note(.otherAuditEvent(Self.opened(3), of: Self.second))
    #expect(journal.rest(1).incidents == 2)
    journal.note(.auditEvent(AuditEvent(.incidentOpened, at: Self.now)))
    #expect(journal.rest(1).incidents == 3)
  }
}
