/// How well a receiver hears the satellites.
struct Reception: Hashable, Sendable {
  enum Mode: Hashable, Sendable {
    /// It says nothing at all.
    case silent
    /// It says that it has no fix.
    case none
    case flat, full
  }

  var mode: Mode
  /// Used for the fix.
  var satellites: UInt8 = 0
  /// Hundredths.
  var hdop: UInt16 = 0
  /// The date is so far back.
  var weeksBack: Int64 = 0

  static let silent = Reception(mode: .silent)
  static let noFix = Reception(mode: .none)
  static let weakFlat = Reception(mode: .flat, satellites: 3, hdop: 12_00)
  static let good = Reception(mode: .full, satellites: 8, hdop: 90)
  static let rolledOver = Reception(mode: .full, satellites: 8, hdop: 90, weeksBack: 1_024)
}
