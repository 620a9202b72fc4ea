import FobBase

/// What the owner is reminded of beside their check-ins and affirmations (R85): a review that is
/// missing or open, a tip, a quote. A reminder is a log entry and nothing else: it asks nothing,
/// has no light, and raises no alarm.
struct Reminders: Sendable {
  private(set) var settings = ReminderSettings()
  /// Nil: no alarm without a review is to be reminded of.
  private(set) var review: ReviewReminder?
  /// When those of the day come.
  private var days = LocalMoments()

  static let reviewAfter: Int64 = 24 * 3_600_000_000

  mutating func set(
    _ settings: ReminderSettings, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard settings.misfit == nil else { return .invalid("time", "is no time of a day") }
    self.settings = settings
    days.forget()
    output.changes.reminders.append(.settings(settings))
    output.note(AuditEvent(.remindersChanged, at: now, by: who))
    return nil
  }

  /// The owner has resumed from an alarm.
  mutating func expectReview(
    of incident: Incident, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let ended = min(incident.endedAt?.wall ?? now.wall, now.wall)
    let reminder = ReviewReminder(incident: incident.id, due: ended + Self.reviewAfter)
    review = reminder
    output.changes.reminders.append(.review(reminder))
  }

  // MARK: Time

  /// - Parameter mayTell: as for `pass`; else the reminder of a review waits, and wakes nobody.
  @inline(__always)
  func nextWake(after now: Timestamp, mayTell: Bool) -> Timestamp? {
    let due = min(days.due ?? .max, mayTell && settings.review ? review?.due ?? .max : .max)
    return due == .max ? nil : now.look(for: due)
  }

  /// The account's zone is another, or has other offsets.
  mutating func zoneChanged() { days.forget() }

  /// Tells what is due. Of the days in which no core ran, none is told later; the reminder of an
  /// alarm's review is, and waits while another alarm is open.
  /// - Parameters:
  ///   - zone: of the account; nil: not known yet.
  ///   - mayTell: the owner is logged in, and no alarm is open.
  mutating func pass(
    in zone: ZoneTable?, of reviews: Reviews, mayTell: Bool, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    if mayTell, settings.review, let review, now.wall >= review.due {
      tell(review, of: reviews, at: now, &output)
    }
    passDay(in: zone, of: reviews, mayTell: mayTell, at: now, &output)
  }

  private mutating func tell(
    _ reminder: ReviewReminder, of reviews: Reviews, at now: Timestamp, _ output: inout CoreOutput
  ) {
    review = nil
    output.changes.reminders.append(.reviewRemoved)
    guard reviews.review(of: reminder.incident)?.state != .completed else { return }
    output.note(AuditEvent(.reviewDue, at: now), reminder.incident)
  }

  private mutating func passDay(
    in zone: ZoneTable?, of reviews: Reviews, mayTell: Bool, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    let mayBeOpen = settings.review && !reviews.reviews.isEmpty
    guard settings.tips || settings.quotes || mayBeOpen else { return days.forget() }
    let rule = Recurrence(.days(every: 1), at: settings.minute, from: CivilDate(day: 0))
    guard let due = days.takeDue(of: rule, in: zone, at: now), mayTell else { return }
    tellDay(due.key.date, of: reviews, at: now, &output)
  }

  private func tellDay(
    _ date: CivilDate, of reviews: Reviews, at now: Timestamp, _ output: inout CoreOutput
  ) {
    if settings.tips { output.note(AuditEvent(.tipDue, at: now)) }
    if settings.quotes { output.note(AuditEvent(.quoteDue, at: now)) }
    let isOpen = reviews.reviews.values.contains { $0.state == .inProgress }
    if settings.review, date.weekday == .sunday, isOpen {
      output.note(AuditEvent(.reviewOpen, at: now))
    }
  }

  mutating func recover(_ stored: StoredReminders) {
    (settings, review) = (stored.settings, stored.review)
  }
}

extension AlertCore {
  /// As last set.
  public var reminderSettings: ReminderSettings { reminders.settings }

  mutating func perform(
    _ settings: ReminderSettings, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    companionRefusal ?? reminders.set(settings, by: who, at: now, &output)
  }
}
