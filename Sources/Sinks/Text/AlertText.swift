public import AlertCore
import FobBase
import Synchronization

import struct Foundation.Date
import class Foundation.DateFormatter
import struct Foundation.Locale
import struct Foundation.TimeZone

/// The text that contacts read (R39, G19, R124): who, what is known to have happened, the last
/// known place, latitude and longitude with seven decimals, local time with its zone, and a link
/// that opens a map. It says that somebody pressed only where somebody did.
public struct AlertText: Sendable {
  private let account: Account
  let phrases: AlertPhrases
  /// BCP 47, of the phrases.
  private let language: String

  /// - Parameters:
  ///   - account: gives the owner's name, zone and places.
  ///   - language: BCP 47; nil: the account's. English stands in for a language without phrases.
  public init(account: Account, language: String? = nil) {
    self.account = account
    phrases = AlertPhrases.of(language ?? account.language)
    self.language = AlertPhrases.spoken(for: language ?? account.language)
  }

  /// Loads the time zone tables, so that the first alarm does not wait for them.
  public func prepare() {
    _ = time(0, Timestamp(boot: 0, instant: Instant(microseconds: 0), wall: 0))
  }

  /// The whole text, without the link to acknowledge; `now` decides whether a time needs its date.
  public func text(of notification: Notification, now: Timestamp) -> String {
    let bench = notification.isBench ? phrases[.bench] : ""
    return switch notification.kind {
    case .closing: bench + closing(notification, now)
    case .message: bench + (notification.words ?? "")
    case .raise, .update, .again: bench + alarm(notification, now)
    }
  }

  private func alarm(_ notification: Notification, _ now: Timestamp) -> String {
    let sentences =
      cause(notification, now) + [
        unproved(notification), fleet(notification), handovers(notification),
        outOfReach(notification), place(notification, now),
        notification.kind == .raise
          ? nil : phrases[.message, ["number": "\(notification.sequence)"]],
      ]
    return sentences.compactMap(\.self).joined(separator: " ")
  }

  /// How an incident ended, for a contact who asks later, by the link of an old message.
  /// - Returns: nil: it is open.
  package func ending(of incident: Incident, now: Timestamp) -> Ending? {
    guard let ended = incident.endedAt else { return nil }
    let report = incident.report(at: ended)
    let title = phrases.title(isBench: incident.isBench, isOver: true, incident.endReason)
    guard incident.endReason == .moved else {
      return Ending(language: language, title: title, text: text(of: report, now: now))
    }
    let since = phrases[.movedSince, ["time": time(ended.wall, now)]]
    let text = [since, handovers(report)].compactMap(\.self).joined(separator: " ")
    return Ending(language: language, title: title, text: text)
  }

  /// How an incident ended, in words.
  package struct Ending: Equatable, Sendable {
    /// BCP 47, of the texts.
    package let language: String
    /// In a few words.
    package let title: String
    /// Whole sentences.
    package let text: String
  }

  /// What is known of an incident, with nobody's name, as its document says it: what raised it
  /// without a press, presses, place and end.
  func summary(of report: Notification, ended: Int64?, now: Timestamp) -> String {
    // Without a position the place says when a press came.
    let press =
      report.position == nil ? nil : report.pressedAt.map { heard($0, report, now) }
    let phrase: AlertPhrases.Phrase = report.endReason == .moved ? .movedSince : .endedAt
    let end = ended.map { phrases[phrase, ["time": time($0, now)]] }
    return [
      before(report, now), press, unproved(report), fleet(report), handovers(report),
      outOfReach(report), place(report, now), end,
    ].compactMap(\.self).joined(separator: " ")
  }

  /// What happened, in one sentence or two.
  private func cause(_ notification: Notification, _ now: Timestamp) -> [String?] {
    func say(_ phrase: AlertPhrases.Phrase) -> String { self.say(phrase, of: notification, now) }
    let question = notification.question
    let before = before(notification, now)
    switch (notification.kind, notification.trigger, notification.pressedAt) {
    case (.message, _, _): return []
    case (.raise, .fall, nil): return [say(.fall)]
    case (.raise, .checkIn, nil): return [say(question == nil ? .checkIn : .unanswered)]
    case (.raise, _, _): return [say(.pressed), before]
    case (.update, nil, _): return [say(.pressedAgain)]
    case (.update, _, _): return [say(.pressedThen), before]
    case (.again, _, let pressed), (.closing, _, let pressed):
      // It may stand for the message of that press, which nobody took. Without a position the place
      // says when it was.
      let press =
        before == nil || notification.position == nil
        ? nil : pressed.map { heard($0, notification, now) }
      return [
        say(notification.context.isAcknowledged ? .goesOn : .unacknowledged), before, press,
      ]
    }
  }

  /// What raised the alarm without a press, as a sentence beside others; nil: a press did.
  private func before(_ notification: Notification, _ now: Timestamp) -> String? {
    switch notification.trigger {
    case .fall: say(.afterFall, of: notification, now)
    case .checkIn:
      say(notification.question == nil ? .afterCheckIn : .afterUnanswered, of: notification, now)
    case nil: nil
    }
  }

  private func say(
    _ phrase: AlertPhrases.Phrase, of notification: Notification, _ now: Timestamp
  ) -> String {
    let question = notification.question
    let since = question?.due ?? notification.openedAt?.wall
    return phrases[
      phrase,
      [
        "name": account.name, "their": account.possessive,
        "time": since.map { time($0, now) } ?? "",
        "question": question.map { Self.quoted($0.description) } ?? "",
      ]]
  }

  /// The owner's words between quotation marks: they end where the sentence goes on, and turn no
  /// other text around.
  static func quoted(_ words: String) -> String {
    var text = ""
    for scalar in words.unicodeScalars where !turning.contains(scalar) {
      text.unicodeScalars.append(scalar == "\"" ? "'" : scalar)
    }
    return text
  }

  /// Line and paragraph separators, and what changes the direction of text (Unicode UAX 9, 2).
  private static let turning = Set<Unicode.Scalar>(
    "\u{2028}\u{2029}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
      .unicodeScalars)

  private func closing(_ notification: Notification, _ now: Timestamp) -> String {
    let phrase: AlertPhrases.Phrase =
      switch notification.endReason {
      case .disarmed: .disarmed
      case .cancelled: .cancelled
      case .gaveWay: .gaveWay
      case .trackingOver, nil: .trackingOver
      case .moved: .moved
      }
    let end = phrases[
      phrase, ["name": account.name, "time": time(notification.decidedAt.wall, now)]]
    return [end, handovers(notification)].compactMap(\.self).joined(separator: " ")
  }

  private func unproved(_ notification: Notification) -> String? {
    let context = notification.context
    func say(_ phrase: AlertPhrases.Phrase, _ count: Int = 0) -> String {
      phrases[phrase, ["their": account.possessive, "count": "\(count)"]]
    }
    guard context.isUnproved else {
      return context.unprovedPresses.map {
        say($0 == 1 ? .onePressUnproved : .somePressesUnproved, $0)
      }
    }
    return [say(.unproved), context.unprovedPresses.map { say(.unprovedPresses, $0) }]
      .compactMap(\.self).joined(separator: " ")
  }

  private func fleet(_ notification: Notification) -> String? {
    notification.context.fleetPresses.map { phrases[.fleet, ["count": "\($0)"]] }
  }

  /// A sentence about presses that have gone to other accounts.
  private func handovers(_ notification: Notification) -> String? {
    notification.handovers.map {
      phrases[$0 == 1 ? .handover : .handovers, ["count": "\($0)"]]
    }
  }

  /// A sentence about presses of unknown age, which the keychain could not send when they were
  /// made.
  private func outOfReach(_ notification: Notification) -> String? {
    notification.context.outOfReach.map {
      phrases[$0 == 1 ? .pressOutOfReach : .pressesOutOfReach, ["count": "\($0)"]]
    }
  }

  /// When a press came; where it was made out of reach, that is not when it was made.
  private func heard(_ at: Timestamp, _ notification: Notification, _ now: Timestamp) -> String {
    let isOutOfReach = notification.context.outOfReach != nil
    return phrases[isOutOfReach ? .heardAt : .pressedAt, ["time": time(at.wall, now)]]
  }

  /// Where the owner was last, or that it is not known or not shared.
  func place(_ notification: Notification, _ now: Timestamp) -> String {
    guard let position = notification.position else {
      let pressed = notification.pressedAt.map { heard($0, notification, now) }
      let unknown = phrases[account.mayLocate ? .unknownPlace : .unsharedPlace]
      return pressed.map { "\(unknown) \($0)" } ?? unknown
    }
    let place = nearest(to: position)?.name
    return phrases[
      place == nil ? .place : .namedPlace,
      [
        "place": place ?? "", "time": time(position.wall, now), "map": Self.map(of: position),
        "position":
          "\(Position.degrees(position.latitude)), \(Position.degrees(position.longitude))",
      ]]
  }

  /// A link that opens a map (RFC 5870).
  static func map(of position: Position) -> String {
    "geo:\(Position.degrees(position.latitude)),\(Position.degrees(position.longitude))"
  }

  /// The nearest of the account's places within about a kilometre: a place farther away would
  /// mislead.
  private func nearest(to position: Position) -> Place? {
    func distance(_ place: Place) -> Double {
      let north = Double(place.latitude) - Double(position.latitude)
      let east = Double(place.longitude) - Double(position.longitude)
      return north * north + east * east
    }
    let reach = 100_000.0
    return account.places.filter { distance($0) <= reach * reach }
      .min { distance($0) < distance($1) }
  }

  /// As in "11:47pm EST", in the account's zone; with the date if it is 12 hours or more from now.
  func time(_ wall: Int64, _ now: Timestamp) -> String {
    let isRecent = (now.wall &- wall).magnitude < 12 * 3_600_000_000
    return TimeTexts.of(
      wall, in: account.zone, by: isRecent ? phrases.time : phrases.dateAndTime)
  }
}

/// Times as text. To make a formatter takes longer than all else of a message, so they are kept.
private enum TimeTexts {
  private struct Key: Hashable {
    let zone: String
    let format: String
  }

  private static let formatters = Mutex<[Key: DateFormatter]>([:])
  /// Of how many zones and formats together.
  private static let most = 64

  /// - Parameters:
  ///   - wall: µs since 1970.
  ///   - zone: as the zone database names it; one that it does not have is UTC.
  ///   - format: in the letters of Unicode's UTS 35.
  static func of(_ wall: Int64, in zone: String, by format: String) -> String {
    let key = Key(zone: zone, format: format)
    let date = Date(timeIntervalSince1970: Double(wall) / 1_000_000)
    return formatters.withLock { formatters in
      if let formatter = formatters[key] { return formatter.string(from: date) }
      if formatters.count == most { formatters = [:] }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: zone) ?? TimeZone(identifier: "UTC")
      formatter.amSymbol = "am"
      formatter.pmSymbol = "pm"
      formatter.dateFormat = format
      formatters[key] = formatter
      return formatter.string(from: date)
    }
  }
}
