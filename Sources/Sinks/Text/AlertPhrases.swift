import AlertCore

/// The sentences of the messages to contacts, and of the owner's mails of check-ins, in one
/// language. `{name}` and the like are replaced.
struct AlertPhrases: Sendable {
  enum Phrase: String, CaseIterable, Sendable {
    /// Somebody pressed: `{name}`, `{their}`. The words of S0 (R39).
    case pressed
    /// A fall was noticed, or a check-in was not answered, and nobody has pressed (R124): `{name}`,
    /// and `{time}` when the core heard of it.
    case fall, checkIn
    /// Nobody has answered a check-in of this core, and nobody has pressed (R124): `{name}`,
    /// `{question}`, and `{time}` when it was due.
    case unanswered
    /// The same as a sentence beside another: `{time}`, `{question}`.
    case afterFall, afterCheckIn, afterUnanswered
    /// A further press (G18), and a press after a fall or a check-in: `{name}`, `{their}`.
    case pressedAgain, pressedThen
    /// The alarm goes on, with and without somebody who has acknowledged: `{name}`.
    case unacknowledged, goesOn
    /// No press is proved to be of the paired keychain: `{their}`; where there are several:
    /// `{count}`.
    case unproved, unprovedPresses
    /// One press, or some, beside those that are proved: `{their}`, `{count}`.
    case onePressUnproved, somePressesUnproved
    /// Presses of several keychains: `{count}`.
    case fleet
    /// The alarm of a keychain has gone to the account that has claimed it: `{count}`.
    case handover, handovers
    /// Presses that could not be sent when they were made: `{count}`.
    case pressOutOfReach, pressesOutOfReach
    case unknownPlace
    /// The account does not allow that its positions are used (R57).
    case unsharedPlace
    /// When a press came, and where its age is not known: `{time}`.
    case pressedAt, heardAt
    /// `{position}`, `{time}`, `{map}`, and the name of the nearest `{place}` (G19).
    case place, namedPlace
    /// Which message of the alarm it is: `{number}` (G2).
    case message
    /// How the alarm ended: `{name}`, `{time}`.
    case disarmed, cancelled, gaveWay, trackingOver, moved
    /// The same of one that has moved, with nobody's name, for whoever reads it later: `{time}`.
    case movedSince
    /// Subjects and titles.
    case alert, clear, ended, handedOver, bench
    /// What a message is about, in a word or two; and one of the owner's own.
    case event, ownMessage
    /// When an incident ended: `{time}`.
    case endedAt
    /// The link in a message, and the button that it is in an app.
    case acknowledge
    /// Subjects of the owner's mails of check-ins, and their first lines: `{count}`.
    case waitSubject, waitsSubject, wait, waits
    /// One check-in: `{question}`, `{time}`; and `{end}` where its silence raises the alarm.
    case item, itemWithAlarm
    /// Those that are not listed: `{count}`.
    case moreItems
    /// What the owner can do; and that protection is off.
    case answerByClick, answerByPage, raisesNothing
  }

  /// The patterns of a time today, and of one that needs its date (Unicode TR 35).
  let time: String
  let dateAndTime: String
  private let words: [Phrase: String]

  init(time: String, dateAndTime: String, _ words: [Phrase: String]) {
    self.time = time
    self.dateAndTime = dateAndTime
    self.words = words
  }

  /// The phrases of a language (BCP 47), by its first part; English for one that has none.
  static func of(_ language: String) -> AlertPhrases { all[spoken(for: language)] ?? english }

  /// The language (BCP 47) of the phrases that ``of(_:)`` gives for a language.
  static func spoken(for language: String) -> String {
    let primary = language.prefix { $0 != "-" }.lowercased()
    return all[primary] == nil ? "en" : primary
  }

  /// In a few words, for a subject or title.
  /// - Parameters:
  ///   - isOver: the incident is; its alarm may go on at another account.
  ///   - reason: why.
  func title(isBench: Bool, isOver: Bool, _ reason: EndReason?) -> String {
    let phrase: Phrase =
      if !isOver { .alert } else if reason == .moved { .handedOver } else {
        reason?.isClear == true ? .clear : .ended
      }
    return (isBench ? self[.bench] : "") + self[phrase]
  }

  static let all = ["en": english, "de": german, "fr": french, "es": spanish]

  /// The sentence, with each `{name}` replaced once: what a person typed is never read as a part of
  /// the sentence.
  subscript(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
    var text = ""
    var rest = Substring(words[phrase] ?? "")
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      text += values[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
