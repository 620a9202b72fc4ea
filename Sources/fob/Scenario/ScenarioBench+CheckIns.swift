import AlertCore
import Bridge
import FobBase
import SerialIO

/// What a scenario does to the bench without a control socket.
extension ScenarioBench {
  private static let minute: Int64 = 60_000_000

  /// Moves the clock on to the next whole minute.
  func beginMinute() throws(IOFailure) {
    try core.advance(by: .microseconds(Self.minute - core.wall % Self.minute))
  }

  func advance(by interval: Interval) throws(IOFailure) { try core.advance(by: interval) }

  /// - Returns: why there is no such series now; nil: there is.
  func add(_ series: ScenarioSeries) throws -> String? {
    let (account, wall) = (account(series.account), core.wall)
    var draft = series.draft
    if let dueIn = series.dueIn {
      let due = wall / Self.minute * Self.minute + dueIn.microseconds
      let zone = account.checkIns.zone ?? .utc
      let local = due + Int64(zone.offset(at: due / 1_000_000)) * 1_000_000
      draft.start = zone.date(at: due)
      draft.minute = Int(local / Self.minute % 1_440)
    }
    let refusal = try OneShot<UserCommand.Refusal?>()
    account.checkIn(.add(draft), pin: series.pin) { refusal.open(with: $0.refusal) }
    return try refusal.pass()?.description
  }
}
