import FobBase

extension Position {
  /// How long `text` is at most: " geo:-90.0000000,-180.0000000 14:05".
  static let longestText = 35
  /// What is older is not sent: a place where somebody was misleads.
  static let sentWithin = Interval.minutes(30)

  /// Behind a message: a link that opens a map (RFC 5870), and when it was measured.
  func text(_ zone: ZoneTable) -> String {
    let seconds = ZoneTable.seconds(wall)
    let local = seconds + Int64(zone.offset(at: seconds))
    let minute = Int(local.quotient(60) - local.quotient(86_400) * 1_440)
    return " geo:\(Self.degrees(latitude)),\(Self.degrees(longitude)) \(LocalTime.text(minute))"
  }

  /// Seven decimals, computed without a Double.
  package static func degrees(_ value: Int32) -> String {
    let size = UInt32(value.magnitude)
    let fraction = String(size % 10_000_000)
    return (value < 0 ? "-" : "") + "\(size / 10_000_000)."
      + String(repeating: "0", count: 7 - fraction.utf8.count) + fraction
  }
}
