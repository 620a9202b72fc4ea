/// A request about check-ins. All are refused as `locked` while an alarm of the account is open.
///
/// After set-up, what decides whether an alarm starts needs the PIN: adding, editing, removing and
/// reactivating a series that escalates or comes to escalate or ceases to, and changing or removing
/// a single one of such a series.
public enum CheckInCommand: Equatable, Sendable {
  case add(CheckInDraft)
  case edit(series: Int, CheckInDraft)
  /// Its open check-ins are `removed`, its history stays.
  case remove(series: Int)
  /// Offers an ended series again, with a new start and what else the draft gives (R109).
  case reactivate(series: Int, CheckInDraft)
  /// Answers one that can be answered.
  case complete(CheckIn.ID, comment: String)
  /// A completed one asks again; comment and time are lost (R102).
  case restore(CheckIn.ID)
  /// Changes this one alone (R107); nil leaves a part. `due` in µs since 1970, not before now.
  case change(CheckIn.ID, due: Int64?, description: String?, lead: Int?)
  /// Takes this one alone out (R107).
  case drop(CheckIn.ID)
  /// Replaces the comment of a final one, 0 to 500 bytes (R101).
  case comment(CheckIn.ID, String)
  case settings(CheckInSettings)
  case resetCounts
}
