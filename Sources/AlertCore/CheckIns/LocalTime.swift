/// A time of the day as in "09:00".
public enum LocalTime {
  /// - Returns: minutes after midnight, 0 to 1,439; nil for a text that `text` never gives.
  public static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [2, 2], let hour = CivilDate.number(parts[0]), hour < 24,
      let minute = CivilDate.number(parts[1]), minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  /// - Parameter minute: after midnight, 0 to 1,439.
  public static func text(_ minute: Int) -> String {
    CivilDate.digits(minute / 60, 2) + ":" + CivilDate.digits(minute % 60, 2)
  }
}
