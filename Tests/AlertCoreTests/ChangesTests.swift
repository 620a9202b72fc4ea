import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// Whether there is something to commit.
struct ChangesTests {
  private static let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0)
  private static let press = EventRecord.press(1)
  private static let incident = Incident(
    press.incident, of: keychain, .open(.countdown(ends: now)), at: now)
  private static let position = Position(latitude: 1, longitude: 1, quality: 2, wall: 0)
  private static let meaning = LateMeaning(meaning: .alarm, incident: nil)
  private static let message = Notification(
    .raise, to: Account.sample().contacts[0], of: incident, sequence: 1, position: nil, at: now)

  @Test func `changes of each kind are something to commit`() {
    let event = HeardEvent(Self.press, at: Self.now, happenedAt: nil)
    let track = TrackPoint(incident: Self.press.incident, at: Self.now, position: Self.position)
    let kinds: [(inout Changes) -> Void] = [
      { $0.events = [event] },
      { $0.meanings = [Self.press.identity: Self.meaning] },
      { $0.track = [track] },
      { $0.log = [AuditEvent(.event, at: Self.now)] },
      { $0.devices = [keychain: DeviceRecord()] },
      { $0.proofs = [ProvedPress(incident: Self.press.incident, place: 0)] },
      { $0.changedIncidents = [Self.incident] },
      { $0.messages = [Self.message] },
      { $0.checkIns = [.counts(CheckInCounts())] },
      { $0.quickMessages = [.slotEmptied(1)] },
      { $0.reviews = [.reviewRemoved(1)] },
      { $0.exercises = [.settings(ExerciseSettings())] },
      { $0.affirmations = [.lineRemoved(1)] },
      { $0.reminders = [.reviewRemoved] },
      { $0.erasesAccount = true },
      { $0.moves = [Move(id: nil, incident: Self.press.incident, pending: [])] },
      { $0.account = Account.sample() },
    ]
    // The number of the decision is nothing by itself.
    #expect(Changes().isEmpty && kinds.count == Mirror(reflecting: Changes()).children.count - 1)
    for change in kinds {
      var changes = Changes()
      change(&changes)
      #expect(!changes.isEmpty)
    }
  }
}
