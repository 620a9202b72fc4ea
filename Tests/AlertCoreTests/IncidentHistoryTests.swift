import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// What is over and may still change.
struct IncidentHistoryTests {
  /// Several presses may become due in one step: each incident that it touches is written as it is
  /// then, however little can become of it.
  @Test func `an incident that is left in the step in which the next gives way is written as left`()
    throws
  {
    var account = Account.sample(pinned: false)
    account.devices = [keychain.text]
    let now = Timestamp(
      boot: 1, instant: Instant(microseconds: 1_000_000), wall: 1_750_000_000_000_000)
    func heard(_ record: EventRecord) -> HeardEvent {
      HeardEvent(record, at: now, happenedAt: nil)
    }
    var engine = AlertEngine(account, Policy(), at: now)
    var first = CoreOutput()
    let left = engine.press(heard(.press(1)), at: now, &first)
    engine.end(.cancelled, at: now, &first)

    var output = CoreOutput()
    let ofNobody = engine.press(heard(.press(1, device: otherKeychain)), at: now, &output)
    let ours = engine.press(heard(.press(2)), at: now, &output)
    #expect(Set(output.changedIncidents) == [left, ofNobody, ours])
    #expect(engine.incident(left)?.state == .noEmergency)
    #expect(engine.incident(ofNobody)?.endReason == .gaveWay)
    #expect(output.ended == [ofNobody])
  }
}
