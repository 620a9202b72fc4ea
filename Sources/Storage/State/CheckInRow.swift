import AlertCore

/// The kinds of rows of table `companion`.
enum CompanionKind: String, CaseIterable {
  case series, settings, counts, slot, send, links
  case review, reviewTemplate, reviewOffer
  case exercise, breathing, exerciseSettings
  case affirmation, affirmations
  case reminders, reviewReminder

  /// What their loss may mean, as a clause; nil: that is said of all check-ins at once.
  var loss: String? {
    switch self {
    case .series, .settings, .counts: nil
    case .slot: "a slot of the messages may be empty or as it was before: look at each"
    case .send: "messages that were on their way may not be sent: ask who was to get them"
    case .links: "help links may be missing, or as they were before"
    case .review: "reviews may be missing, or as they were before"
    case .reviewTemplate, .reviewOffer: "what the next review asks may be as it was before"
    case .exercise, .breathing, .exerciseSettings:
      "the totals and the settings of breathing may be as they were before"
    case .affirmation, .affirmations: "affirmations may be missing, or as they were before"
    case .reminders, .reviewReminder: "what the owner is reminded of may be as it was before"
    }
  }
}

/// A row of the companions' tables, read and checked: a core can start from it and reckon with it.
enum CheckInRow {
  case series(CheckInSeries)
  case settings(CheckInSettings)
  case counts(CheckInCounts)
  case slot(MessageSlot)
  case send(MessageSend)
  case links([HelpLink])
  case review(Review)
  case template(ReviewTemplate)
  case offer(ReviewOffer)
  case exercise(ExerciseChange)
  case affirmation(Affirmation)
  case affirmations(AffirmationSettings)
  case reminder(ReminderChange)

  /// Why a core cannot use a row, as a clause.
  struct Mismatch: Error { let reason: String }

  /// A row of table `companion`.
  /// - Throws: `DecodingError`, `Mismatch`.
  init(kind: String, id: String, body: String) throws {
    switch CompanionKind(rawValue: kind) {
    case .series:
      let series: CheckInSeries = try JSON.decode(body)
      try Self.require("\(series.id)" == id ? series.misfit : "its body is of another series")
      self = .series(series)
    case .settings:
      let settings: CheckInSettings = try JSON.decode(body)
      try Self.require(settings.misfit)
      self = .settings(settings)
    case .counts:
      let counts: CheckInCounts = try JSON.decode(body)
      try Self.require(counts.misfit)
      self = .counts(counts)
    case .slot:
      let slot: MessageSlot = try JSON.decode(body)
      try Self.require("\(slot.slot)" == id ? slot.misfit : "its body is of another slot")
      self = .slot(slot)
    case .send:
      let send: MessageSend = try JSON.decode(body)
      try Self.require("\(send.id)" == id ? send.misfit : "its body is of another message")
      self = .send(send)
    case .links:
      let links: [HelpLink] = try JSON.decode(body)
      try Self.require(HelpLink.misfit(of: links))
      self = .links(links)
    case .review:
      let review: Review = try JSON.decode(body)
      try Self.require("\(review.id)" == id ? review.misfit : "its body is of another review")
      self = .review(review)
    case .reviewTemplate:
      let template: ReviewTemplate = try JSON.decode(body)
      try Self.require(template.misfit)
      self = .template(template)
    case .reviewOffer: self = .offer(try JSON.decode(body))
    case .exercise:
      let session: ExerciseSession = try JSON.decode(body)
      try Self.require(session.misfit)
      self = .exercise(.session(session))
    case .breathing:
      let totals: BreathingTotals = try JSON.decode(body)
      try Self.require(totals.misfit)
      self = .exercise(.totals(totals))
    case .exerciseSettings: self = .exercise(.settings(try JSON.decode(body)))
    case .affirmation:
      let line: Affirmation = try JSON.decode(body)
      try Self.require("\(line.id)" == id ? line.misfit : "its body is of another affirmation")
      self = .affirmation(line)
    case .affirmations:
      let settings: AffirmationSettings = try JSON.decode(body)
      try Self.require(settings.misfit)
      self = .affirmations(settings)
    case .reminders:
      let settings: ReminderSettings = try JSON.decode(body)
      try Self.require(settings.misfit)
      self = .reminder(.settings(settings))
    case .reviewReminder: self = .reminder(.review(try JSON.decode(body)))
    case nil: throw Mismatch(reason: "kind is none that this version has")
    }
  }

  /// A row of table `occurrence`.
  /// - Throws: `DecodingError`, `Mismatch`.
  static func checkIn(
    series: Int64, key: String, state: String, due: Int64, body: String
  ) throws -> CheckIn {
    let checkIn: CheckIn = try JSON.decode(body)
    let isSame =
      Int64(checkIn.series) == series && checkIn.key.text == key
      && checkIn.state.rawValue == state && checkIn.due == due
    try require(isSame ? checkIn.misfit : "its body is of another check-in")
    return checkIn
  }

  private static func require(_ misfit: String?) throws {
    if let misfit { throw Mismatch(reason: misfit) }
  }
}
