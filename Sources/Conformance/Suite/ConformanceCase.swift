/// One demand of the protocol, and the steps that prove it.
package struct ConformanceCase: Sendable {
  /// The first half of its id.
  package let chapter: Chapter
  /// The second half of its id, unique within the chapter.
  package let slug: String
  /// The demand, as a sentence.
  package let name: String
  /// The section of PROTOCOL.md, as in `4.4`.
  package let section: String
  /// Where the rig lacks one of these, the case is not tested.
  package let needs: [Ability]
  /// True where the case takes more than 15 s in real time.
  package let isLong: Bool
  /// Runs on a device that was greeted; throws ``Stop`` at the first fault.
  package let steps: @Sendable (Conversation) throws -> Void

  /// - Parameter steps: called after ``Conversation/greet()``.
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

  /// As in `reliability/ack-lost`. It stays the same when cases are added.
  package var id: String { "\(chapter.rawValue)/\(slug)" }
}

/// Every case, in the order in which they run.
package enum Suite {
  /// Chapter by chapter, in the order of ``Chapter``.
  package static let cases: [ConformanceCase] =
    ProtocolChapter.cases + ReliabilityChapter.cases + TimeChapter.cases + ButtonChapter.cases
    + LEDChapter.cases + BatteryChapter.cases + GPSChapter.cases + SealChapter.cases

  /// The cases of one chapter, in the order in which they run.
  package static func cases(of chapter: Chapter) -> [ConformanceCase] {
    cases.filter { $0.chapter == chapter }
  }
}

/// A part of the suite. Its name is the first half of a case's id.
package enum Chapter: String, Hashable, Sendable, CaseIterable {
  case `protocol`, reliability, time, button, led, battery, gps, seal

  /// The subject of the chapter, in a few words.
  package var title: String {
    switch self {
    case .protocol: "frames, session and growth"
    case .reliability: "no event is lost"
    case .time: "the device's clock"
    case .button: "contacts and presses"
    case .led: "what the device shows"
    case .battery: "levels and reports"
    case .gps: "position, its quality and its age"
    case .seal: "pairing, and who is believed"
    }
  }
}
