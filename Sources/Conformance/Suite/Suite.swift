/// Every case, in the order in which they run.
package enum Suite {
  package static let cases: [ConformanceCase] =
    ProtocolChapter.cases + ReliabilityChapter.cases + TimeChapter.cases + ButtonChapter.cases
    + LEDChapter.cases + BatteryChapter.cases + GPSChapter.cases

  package static func cases(of chapter: Chapter) -> [ConformanceCase] {
    cases.filter { $0.chapter == chapter }
  }
}
