/// One thing that the protocol demands, and the steps that prove it.
package struct ConformanceCase: Sendable {
  package let chapter: Chapter
  package let slug: String
  /// A sentence.
  package let name: String
  /// Of PROTOCOL.md, as in `4.4`.
  package let section: String
  package let needs: [Ability]
  /// Takes more than 15 s where time cannot be moved.
  package let isLong: Bool
  package let steps: @Sendable (Conversation) throws -> Void

  package init(
    _ chapter: Chapter, _ slug: String, _ section: String, needs: [Ability] = [],
    isLong: Bool = false, _ name: String, _ steps: @escaping @Sendable (Conversation) throws -> Void
  ) {
    self.chapter = chapter
    self.slug = slug
    self.section = section
    self.needs = needs
    self.isLong = isLong
    self.name = name
    self.steps = steps
  }

  /// As in `reliability/ack-lost`: stays, however cases are added.
  package var id: String { "\(chapter.rawValue)/\(slug)" }
}

/// Every case, in the order in which they run.
package enum Suite {
  package static let cases: [ConformanceCase] =
    ProtocolChapter.cases + ReliabilityChapter.cases + TimeChapter.cases + ButtonChapter.cases
    + LEDChapter.cases + BatteryChapter.cases + GPSChapter.cases

  package static func cases(of chapter: Chapter) -> [ConformanceCase] {
    cases.filter { $0.chapter == chapter }
  }
}

/// A part of the suite. Its name is the first half of a case's id.
package enum Chapter: String, Hashable, Sendable, CaseIterable {
  case `protocol`, reliability, time, button, led, battery, gps

  package var title: String {
    switch self {
    case .protocol: "frames, session and growth"
    case .reliability: "no event is lost"
    case .time: "the device's clock"
    case .button: "contacts and presses"
    case .led: "what the device shows"
    case .battery: "levels and reports"
    case .gps: "position, its quality and its age"
    }
  }
}
