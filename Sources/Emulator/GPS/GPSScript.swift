import FobBase

/// A story of a receiver's trouble, in chapters.
public enum GPSScript: String, Hashable, Sendable, CaseIterable {
  /// No fix for half a minute, then a weak one in two dimensions, then a good one.
  case coldStart
  /// A good fix, lost for a minute, and good again.
  case tunnel
  /// Three satellites, an HDOP of 12.
  case weak
  /// A good fix whose date is 1024 weeks back: the receiver's week number has rolled over.
  case rollover
  /// A good fix for half a minute; then the receiver sends nothing.
  case silence

  struct Chapter {
    var begins: Interval
    var reception: Reception
  }

  /// The chapters in order. The first begins at once; the last goes on for ever unless the story
  /// loops.
  var chapters: [Chapter] {
    switch self {
    case .coldStart: [.at(0, .noFix), .at(30, .weakFlat), .at(45, .good)]
    case .tunnel: [.at(0, .good), .at(30, .noFix), .at(90, .good)]
    case .weak: [.at(0, .weakFlat)]
    case .rollover: [.at(0, .rolledOver)]
    case .silence: [.at(0, .good), .at(30, .silent)]
    }
  }

  /// How long it is before a loop begins again.
  var length: Interval {
    switch self {
    case .coldStart, .silence: .seconds(90)
    case .tunnel: .seconds(120)
    case .weak, .rollover: .seconds(60)
    }
  }

  /// The reception so long after the beginning.
  func reception(at elapsed: Interval, loops: Bool) -> Reception {
    let told = max(.zero, elapsed)
    let at =
      loops ? .microseconds(told.microseconds % length.microseconds) : told
    let chapters = chapters
    return (chapters.last { $0.begins <= at } ?? chapters[0]).reception
  }
}

extension GPSScript.Chapter {
  fileprivate static func at(_ seconds: Int64, _ reception: Reception) -> Self {
    Self(begins: .seconds(seconds), reception: reception)
  }
}

/// How well a receiver receives satellites.
struct Reception: Hashable, Sendable {
  enum Mode: Hashable, Sendable {
    /// The receiver sends nothing.
    case silent
    /// The receiver sends sentences without a fix.
    case none
    case flat, full
  }

  var mode: Mode
  /// Satellites used for the fix.
  var satellites: UInt8 = 0
  /// Horizontal dilution of precision, in hundredths.
  var hdop: UInt16 = 0
  /// By how many weeks the date is too early.
  var weeksBack: Int64 = 0

  static let silent = Reception(mode: .silent)
  static let noFix = Reception(mode: .none)
  static let weakFlat = Reception(mode: .flat, satellites: 3, hdop: 12_00)
  static let good = Reception(mode: .full, satellites: 8, hdop: 90)
  static let rolledOver = Reception(mode: .full, satellites: 8, hdop: 90, weeksBack: 1_024)
}
