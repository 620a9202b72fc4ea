import FobBase
import Storage
import TestSupport
import Testing

@testable import AlertCore

/// A core with check-ins is killed after each of its commits, and goes on from the disk.
@Suite struct CheckInKillTests {
  private static let key = OccurrenceKey(text: "20260115T0500")!

  /// Asked each day at 5:00 UTC, 13 minutes from second 0; its silence raises an alarm 5 minutes
  /// later.
  private static var draft: CheckInDraft {
    var draft = CheckInDraft()
    draft.description = "All well?"
    draft.rule = .days(every: 1)
    draft.minute = 300
    draft.start = CivilDate(text: "2026-01-15")
    draft.limit = 5
    return draft
  }

  private static var account: Account {
    var account = Account(name: "Owner", zone: "UTC", contacts: [.first])
    account.isProtecting = true
    return account
  }

  /// A core on a store, in virtual time; whatever is told is taken.
  private struct Run {
    let folder: StateFolder
    let store: AlertStore
    var core: AlertCore
    var now: Timestamp
    /// The folder as a kill after each commit leaves it, and when.
    var left: [(folder: StateFolder, at: Timestamp)] = []
    var told = 0

    init(on folder: StateFolder, at now: Timestamp) throws {
      self.folder = folder
      self.now = now
      store = try folder.store()
      core = AlertCore(
        account: try store.account() ?? CheckInKillTests.account, recovering: try store.load(),
        at: now)
      try hand(.zoneTable(.utc), isKept: false)
      try hand(.wake, isKept: false)
    }

    mutating func hand(_ input: CoreInput, isKept: Bool = true) throws {
      var inputs = [input]
      while !inputs.isEmpty {
        var output = CoreOutput()
        core.step(inputs.removeFirst(), at: now, into: &output)
        if let batch = output.commit {
          try store.commit(batch.changes)
          if isKept { left.append((try folder.leftByKill(), now)) }
          inputs.insert(.committed(batch.number), at: 0)
        }
        told += output.deliveries.count
        inputs += output.deliveries.map { .answered(key: $0.key, error: nil) }
      }
    }

    mutating func run(until end: Timestamp, isKept: Bool = true) throws {
      while let wake = core.nextWake(after: now), wake.instant <= end.instant {
        now = now + .microseconds(max(1, wake.instant - now.instant))
        try hand(.wake, isKept: isKept)
      }
      now = now + .microseconds(max(0, end.instant - now.instant))
    }

    func count(_ name: AuditEvent.Name) throws -> Int {
      try store.log(after: 0, limit: 10_000).filter { $0.name == name.rawValue }.count
    }

    func checkIn() throws -> CheckIn? {
      try store.load().checkIns.checkIns.first { $0.key == CheckInKillTests.key }
    }
  }

  private static func first() throws -> Run {
    var run = try Run(on: try StateFolder(), at: .second(0))
    try run.store.setAccount(account)
    try run.hand(.userCommand(RequestID(rawValue: 1), .checkIn(.add(draft), isProven: true)))
    return run
  }

  /// Another boot, some time later.
  private static func again(
    _ left: (folder: StateFolder, at: Timestamp), after downtime: Interval
  ) throws -> Run {
    try Run(
      on: left.folder,
      at: Timestamp(
        boot: 2, instant: Instant(microseconds: 5_000_000),
        wall: left.at.wall + downtime.microseconds))
  }

  @Test(arguments: [Interval.seconds(1), .minutes(30)])
  func `one that nobody answers raises one alarm, whenever the core is killed`(
    downtime: Interval
  ) throws {
    var run = try Self.first()
    try run.run(until: .second(3_600))
    #expect(try run.checkIn()?.state == .escalated)
    #expect(run.told > 0 && run.left.count > 5)
    for left in run.left {
      var next = try Self.again(left, after: downtime)
      let end = next.now + .minutes(60)
      try next.run(until: end, isKept: false)
      let comment: Comment = "killed at \(left.at.wall)"
      #expect(try next.store.incidents().map(\.trigger) == [.checkIn], comment)
      #expect(try next.store.incidents().first?.question?.description == "All well?", comment)
      #expect(try next.count(.checkInDue) == 1, comment)
      #expect(try next.count(.checkInEscalated) == 1, comment)
      let checkIn = try #require(try next.checkIn(), comment)
      #expect(checkIn.state == .escalated, comment)
      let raised = try #require(try next.store.incidents().first, comment)
      #expect(checkIn.incident == raised.id, comment)
      #expect(raised.told == [Contact.first.id], comment)
    }
  }

  @Test(arguments: [Interval.seconds(1), .minutes(30)])
  func `one that was answered on the disk raises none and is not asked again`(
    downtime: Interval
  ) throws {
    var run = try Self.first()
    try run.run(until: .second(14 * 60))
    run.left = []
    let id = CheckIn.ID(series: 1, key: Self.key)
    try run.hand(
      .userCommand(
        RequestID(rawValue: 2), .checkIn(.complete(id, comment: "fine"), isProven: false)))
    try run.run(until: .second(3_600))
    #expect(!run.left.isEmpty)
    for left in run.left {
      var next = try Self.again(left, after: downtime)
      let end = next.now + .minutes(60)
      try next.run(until: end, isKept: false)
      #expect(try next.store.incidents().isEmpty)
      #expect(try next.count(.checkInDue) == 1)
      #expect(try next.checkIn()?.state == .completed)
      #expect(try next.checkIn()?.comment == "fine")
    }
  }
}
