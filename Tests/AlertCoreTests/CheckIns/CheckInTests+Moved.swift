import FobBase
import Testing

@testable import AlertCore
@testable import WireProtocol

/// Single dates that were moved, and what nobody may silence by them.
extension CheckInTests {
  private static let day: Int64 = 86_400_000_000

  private func id(inDays days: Int32, index: Int = 0) -> CheckIn.ID {
    let date = CivilDate(day: Self.today.day + days)
    return CheckIn.ID(series: 1, key: OccurrenceKey(date, minute: 960, index: index))
  }

  /// Today's 16:00 on the wall, µs since 1970.
  private func firstDue(_ guarded: GuardedBench) -> Int64 {
    guarded.start.wall + Self.untilDue.microseconds
  }

  private func move(
    _ guarded: inout GuardedBench, _ id: CheckIn.ID, to due: Int64, lead: Int? = nil
  ) {
    let change = CheckInCommand.change(id, due: due, description: nil, lead: lead)
    #expect(guarded.bench.answer(to: .checkIn(change, isProven: true))?.refusal == nil)
  }

  @Test(arguments: [0, 10_080])
  func `one that was moved far ahead and is open already silences no other`(_ lead: Int) {
    var guarded = bench(Self.daily(lead: lead))
    guarded.bench.run(for: .seconds(1))
    move(&guarded, id(inDays: 0), to: firstDue(guarded) + 6 * Self.day, lead: 10_080)
    #expect(guarded.bench.core.checkIns.open.map(\.id) == [id(inDays: 0)])
    guarded.bench.run(for: Self.untilDue + .minutes(1_440 + 20))
    #expect(guarded.bench.core.state == .alertCountdown)
    let escalated = guarded.bench.store.checkIns.checkIns.filter { $0.state == .escalated }
    #expect(escalated.map(\.id) == [id(inDays: 1)])
  }

  @Test func `one that was moved before another that is open is asked when it falls due`() {
    var guarded = bench(Self.daily(lead: 3_000))
    guarded.bench.run(for: Self.untilDue + .seconds(1))
    #expect(guarded.bench.core.checkIns.open.map(\.id) == [id(inDays: 0), id(inDays: 1)])
    move(&guarded, id(inDays: 5), to: firstDue(guarded) + Self.day / 2)
    guarded.bench.run(for: .minutes(20))
    guarded.bench.perform(.disarm)
    guarded.bench.perform(.resume)
    guarded.bench.run(for: .minutes(720))
    #expect(guarded.bench.core.state == .alertCountdown)
    let escalated = guarded.bench.store.checkIns.checkIns.filter { $0.state == .escalated }
    #expect(escalated.map(\.id) == [id(inDays: 0), id(inDays: 5)])
  }

  @Test func `a series that is to call people does so for one that was moved before, too`() {
    var guarded = bench(Self.daily(escalates: false))
    let due = firstDue(guarded) + Self.day / 2
    move(&guarded, id(inDays: 1), to: due, lead: 40_320)
    #expect(guarded.bench.core.checkIns.open.first?.escalates == false)
    var draft = CheckInDraft()
    draft.escalates = true
    #expect(
      guarded.bench.answer(to: .checkIn(.edit(series: 1, draft), isProven: true))?.refusal == nil)
    let open = guarded.bench.core.checkIns.open.first
    #expect(open?.id == id(inDays: 1) && open?.escalates == true)
    #expect(open?.answerableFrom == due - 3_600_000_000)
    #expect(guarded.bench.store.checkIns.checkIns.first { $0.id == open?.id } == open)
  }

  @Test func `where too many of a series are open the alarm comes when the oldest would raise it`()
  {
    var draft = Self.daily()
    draft.rule = .days(every: 1, times: 24, hoursApart: 1)
    draft.limit = 1_440
    var guarded = bench(draft)
    for index in 0..<12 {
      let half = firstDue(guarded) + (Int64(index) * 60 + 30) * 60_000_000
      move(&guarded, id(inDays: 3, index: index), to: half)
    }
    guarded.bench.run(for: Self.untilDue + .minutes(1_440) - .seconds(1))
    #expect(guarded.bench.core.checkIns.open.count == 32)
    #expect(guarded.bench.core.state == .noEmergency)
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.core.state == .alertCountdown)
  }

  @Test func `a bench's keychain that was claimed and never heard makes no alarm a bench's`() {
    var account = Account.sample(contacts: 1)
    account.isProtecting = true
    account.devices = [DeviceID.bench(7).text]
    var bench = CoreBench(account)
    bench.hand(.zoneTable(.utc))
    bench.perform(.checkIn(.add(Self.daily()), isProven: true))
    bench.run(for: Self.untilDue + .minutes(23))
    #expect(bench.core.status(at: bench.now).incident?.isBench == false)
    #expect(bench.deliveries.first?.notification.contact.id == "contact-1")
  }

  @Test func `one far ahead cannot be answered yet, and one that is none is not known`() {
    var guarded = bench()
    for (id, refusal) in [
      (id(inDays: 30_000), UserCommand.Refusal.tooEarly),
      (id(inDays: -1), .unknownCheckIn), (id(inDays: 1, index: 1), .unknownCheckIn),
    ] {
      let command = CheckInCommand.complete(id, comment: "")
      #expect(guarded.bench.answer(to: .checkIn(command, isProven: true))?.refusal == refusal)
    }
  }

  @Test func `no text of a check-in holds what a terminal takes for a command`() {
    var guarded = bench(Self.daily(lead: 60))
    for text in ["a\u{1B}[2J", "a\u{9B}2J", "a\u{7F}"] {
      var draft = Self.daily()
      draft.description = text
      let refused = guarded.bench.answer(to: .checkIn(.add(draft), isProven: true))?.refusal
      #expect(refused == .invalid("description", "has a control character"))
      let comment = CheckInCommand.complete(id(inDays: 0), comment: text)
      let other = guarded.bench.answer(to: .checkIn(comment, isProven: true))?.refusal
      #expect(other == .invalid("comment", "has a control character"))
    }
  }
}
