import AlertCore
import Foundation

/// The zone tables of the core, out of Foundation's zones: those that messages to people tell the
/// time by.
enum ZoneTables {
  /// - Parameters:
  ///   - name: as in "Europe/Paris".
  ///   - wall: now, µs since 1970 UTC; the table begins a year before it.
  ///   - years: how many years after now it ends, of 365 days.
  /// - Returns: nil if there is no such zone.
  static func table(of name: String, at wall: Int64, years: Int = 10) -> ZoneTable? {
    guard let zone = TimeZone(identifier: name) else { return nil }
    let now = Date(timeIntervalSince1970: Double(wall / 1_000_000))
    let end = now + Double(years) * year
    var date = now - year
    let first = Int32(zone.secondsFromGMT(for: date))
    var transitions: [ZoneTable.Transition] = []
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
      date = next
      // Its name alone may change, or that it is called summer time.
      let offset = Int32(zone.secondsFromGMT(for: date))
      guard offset != transitions.last?.offset ?? first else { continue }
      transitions.append(
        ZoneTable.Transition(at: Int64(date.timeIntervalSince1970), offset: offset))
    }
    return ZoneTable(first: first, transitions: transitions)
  }

  private static let year = 365 * 86_400.0
}
