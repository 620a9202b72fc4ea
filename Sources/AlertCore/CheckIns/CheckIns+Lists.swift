/// What people and programs read. These cost as much as they show: call them on a copy, outside of
/// the core's lock.
extension CheckIns {
  /// The open ones, and of each series as many dates to come as the settings show, together at
  /// least one (R105, R106): the oldest first.
  /// - Parameters:
  ///   - isOverview: only the oldest of each series.
  ///   - wall: now, µs since 1970.
  public func list(isOverview: Bool = false, at wall: Int64) -> [ListedCheckIn] { [] }

  /// The dates of a draft, at most `count`, as if it were added now; for the editor's preview.
  /// - Throws: the refusal that adding it would get.
  public func preview(
    _ draft: CheckInDraft, count: Int = 31, at wall: Int64
  ) throws(UserCommand.Refusal) -> [Recurrence.Moment] { [] }
}
