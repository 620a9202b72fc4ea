import FobBase
import TestSupport
import WireProtocol

@testable import AlertCore

extension CheckInSeries {
  /// Every field with a value of its own.
  static func sample(_ id: Int, _ description: String = "All well? “Ok”\u{1F511}") -> CheckInSeries
  {
    var series = CheckInSeries(
      id: id, description: description,
      recurrence: Recurrence(
        .weeks(every: 2, [.monday, .sunday]), at: 540, from: CivilDate(text: "2026-11-25")!,
        until: CivilDate(text: "2027-01-31")!),
      lead: 90, escalates: false, limit: 30, device: keychain.text, hasEnded: true,
      createdAt: Timestamp.second(1).wall, changedAt: Timestamp.second(2).wall,
      askedUntil: Timestamp.second(3).wall)
    series.exceptions["20261125T0900"] = Exception(
      base: Timestamp.second(5).wall, isRemoved: true, due: Timestamp.second(5).wall,
      description: description, lead: 90)
    series.exceptions["20261130T0900"] = Exception(
      base: Timestamp.second(6).wall, due: Timestamp.second(4).wall, description: "later", lead: 5,
      isAsked: true)
    return series
  }
}

extension CheckIn {
  /// Every field with a value of its own.
  static func sample(
    _ state: State, of series: Int = 1, _ key: String = "20261125T0900"
  ) -> CheckIn {
    var checkIn = CheckIn(
      series: series, key: OccurrenceKey(text: key)!, description: "All well?",
      due: Timestamp.second(60).wall, answerableFrom: Timestamp.second(30).wall, escalates: true,
      runsOut: Timestamp.second(1_260).wall, limit: 20, lead: 30,
      device: keychain.text)
    checkIn.state = state
    checkIn.isException = true
    checkIn.round = 2
    checkIn.nagged = 3
    checkIn.completedAt = Timestamp.second(70).wall
    checkIn.by =
      series.isMultiple(of: 2)
      ? CheckIn.Answerer.person("owner") : .click(device: keychain.text, event: "1.7")
    checkIn.comment = "late, \"but\" well"
    checkIn.incident = IncidentID(EventRecord.press(1).identity)
    checkIn.closedAt = state == .open ? nil : Timestamp.second(71).wall
    checkIn.isDueTold = true
    checkIn.isIdleTold = true
    return checkIn
  }
}

extension CheckInSettings {
  /// Every field with a value of its own.
  static var sample: CheckInSettings {
    var settings = CheckInSettings()
    settings.nagEvery = 7
    settings.shown = 366
    settings.history = 10
    settings.logShown = 11
    settings.clock = .hours12
    settings.dateOrder = .monthDayYear
    settings.mails = true
    return settings
  }
}

extension CheckInCounts {
  /// Every field with a value of its own.
  static var sample: CheckInCounts {
    var counts = CheckInCounts()
    counts.since = Timestamp.second(5).wall
    counts.asked = 6
    counts.completed = 5
    counts.clicked = 4
    counts.escalated = 3
    counts.missed = 2
    counts.lastSeries = 9
    return counts
  }
}

extension UnansweredCheckIn {
  static let sample = UnansweredCheckIn(
    description: "Am I \"well\"? \u{1F511}", due: Timestamp.second(9).wall)
}

extension CheckInChange {
  /// Up to four changes of few rows, so that they meet.
  static func random(_ random: inout SeededGenerator) -> [CheckInChange] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let series = Int.random(in: 1...5, using: &random)
      let checkIn = CheckIn.sample(
        CheckIn.State.allCases.randomElement(using: &random)!, of: series,
        "20261125T090\(Int.random(in: 0...3, using: &random))")
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .seriesRemoved(series)
      case 1: return .checkInRemoved(checkIn.id)
      case 2: return .settings(.sample)
      case 3: return .counts(.sample)
      case 4...5: return .series(.sample(series))
      default: return .checkIn(checkIn)
      }
    }
  }
}
