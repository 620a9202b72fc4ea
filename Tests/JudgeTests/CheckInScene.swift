import FobBase
import Judge
import WireProtocol

/// Scenes with check-ins: they begin at 15:06:40 UTC, and the plan asks at 15:08, which is after
/// 80 s, and raises an alarm after five minutes more.
extension Scene {
  static let wall: Int64 = 1_750_000_000_000_000
  static let due = wall + 80_000_000
  static let runsOut = due + 300_000_000
  static let name = CheckInName(series: 1, key: "20250615T1508")
  static let plan = SeriesPlan(
    .days(every: 1, times: 2, hoursApart: 1), minute: 15 * 60 + 8, start: 20_254, lead: 1,
    escalates: true, limit: 5)
  /// Milliseconds from the beginning.
  static let dueAt: Int64 = 80_000
  static let runsOutAt: Int64 = 380_000
  /// The incident that the check-in raises.
  static let raised: UInt64 = 0xC0FFEE

  /// The series is on the disk.
  static func asking(
    _ plan: SeriesPlan = plan, isProtecting: Bool = true, _ change: (inout Rules) -> Void = { _ in }
  ) -> Scene {
    var scene = Scene(account: AccountState(isProtecting: isProtecting), change)
    scene.see(.wallClock(host: 0, wall))
    scene.see(.zone(host: 0, Zone()))
    scene.see(.asked(host: 0, request: 50, .addSeries(plan)))
    scene.storeSeries(plan)
    scene.see(.answered(host: 0, request: 50, .noEmergency, isRefused: false, isDurable: true))
    return scene
  }

  /// The check-in is due, on the disk, and shown.
  static func due(isProtecting: Bool = true, _ change: (inout Rules) -> Void = { _ in }) -> Scene {
    var scene = asking(isProtecting: isProtecting, change)
    scene.at(dueAt)
    scene.say(due: 1)
    scene.see(.checkInSaid(host: 0, .due, name))
    scene.storeCheckIn()
    scene.show(.due)
    return scene
  }

  /// The check-in was completed, and is asked anew before it is due; the disk does not know yet.
  static func restoredEarly() -> Scene {
    var scene = asking()
    scene.at(30_000)
    scene.storeCheckIn()
    scene.complete()
    scene.at(40_000)
    scene.restore()
    return scene
  }

  mutating func storeSeries(_ plan: SeriesPlan) {
    var batch = Batch()
    batch.series = [(1, plan)]
    see(.stored(host: 0, batch))
  }

  mutating func storeCheckIn(
    _ state: Batch.CheckInRow.State = .open, _ name: CheckInName = name, due: Int64 = due,
    by click: String? = nil, incident: UInt64? = nil
  ) {
    var batch = Batch()
    batch.checkIns = [
      Batch.CheckInRow(
        name, state, due: due, runsOut: due + 300_000_000,
        completedAt: state == .completed ? due : nil, by: click, incident: incident)
    ]
    see(.stored(host: 0, batch))
  }

  mutating func say(due count: Int) {
    see(.indicated(host: 0, incident: 0, count > 0 ? .due : .idle, sounder: false, due: count))
  }

  mutating func complete() {
    see(.asked(host: 0, request: 51, .complete(Self.name)))
    see(.checkInSaid(host: 0, .completed, Self.name))
    storeCheckIn(.completed)
    see(.answered(host: 0, request: 51, .noEmergency, isRefused: false, isDurable: true))
    say(due: 0)
    show(.idle)
  }

  mutating func restore() {
    see(.asked(host: 0, request: 60, .restore(Self.name)))
    see(.checkInSaid(host: 0, .restored, Self.name))
  }

  /// Its silence raises an alarm: a countdown, on the disk.
  mutating func raise(
    _ incident: UInt64 = raised, by name: CheckInName? = name, isStored: Bool = true
  ) {
    see(.raised(host: 0, incident: incident, by: name))
    see(.indicated(host: 0, incident: incident, .countdown, sounder: true))
    move(incident, .noEmergency, .alertCountdown)
    guard isStored else { return }
    var batch = Batch()
    batch.incidents = [Batch.Incident(name: incident, state: .alertCountdown, presses: [])]
    batch.checkIns = [
      Batch.CheckInRow(
        Self.name, .escalated, due: Self.due, runsOut: Self.runsOut, incident: incident)
    ]
    see(.stored(host: 0, batch))
  }

  mutating func restart(after milliseconds: Int64, byWall: Int64? = nil) {
    see(.stopped(host: 0))
    show(.idle)
    if let byWall { see(.rebooted(host: 0, elapsedByWall: .milliseconds(byWall))) }
    let shift = (byWall ?? milliseconds) - milliseconds
    pass(milliseconds)
    see(.wallClock(host: 0, Self.wall + (now + shift) * 1_000))
    see(.account(host: 0, AccountState(isProtecting: true)))
    see(.started(host: 0, RestoredState()))
    see(.zone(host: 0, Zone()))
  }
}
