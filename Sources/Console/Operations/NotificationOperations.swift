import AlertCore
import Foundation
import HTTPTypes
import Hummingbird

/// Which reminders the owner gets, and when (R85). It needs no PIN.
enum NotificationOperations {
  private static let kinds: [(name: String, what: String)] = [
    ("checkIns", "The page, and mail where it is on, say when a check-in asks"),
    ("affirmations", "The line that is shown, by its own schedule: affirmationDue"),
    (
      "review",
      "reviewDue a day after an alarm without a completed review, once; reviewOpen on Sundays while"
        + " one is in progress"
    ),
    ("tips", "tipDue each day"), ("quotes", "quoteDue each day"),
    ("mails", "That there is a review, a tip or a quote is mailed, too, and no word of it"),
  ]
  private static let settings = JSONSchema.object(
    kinds.map { .needed($0.name, .described(.boolean, $0.what)) }
      + [.needed("time", CheckInShapes.time)],
    open: false)

  static let all = [
    Operation(
      method: .get, path: "/v1/notifications", scope: .observe,
      summary: "Which reminders the owner gets, each a log entry, and at what time of day",
      success: [.json(settings, "As last set")],
      handler: { Reply.json(Settings($0.core.reminderSettings)) }),
    Operation(
      method: .put, path: "/v1/notifications", scope: .operate,
      summary: "Switches each kind of reminder on or off; warning says where mails cannot be sent",
      form: .json(settings, isRequired: true),
      success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
      handler: set),
  ]

  private static func set(_ call: Call) async throws -> Response {
    let settings = try call.decode(Settings.self).read
    let answer = try await call.durableAnswer {
      call.core.perform(.remind(settings), by: call.who, answer: $0)
    }
    return Reply.json(Done(answer, warning: settings.mails ? call.mailWarning : nil))
  }

  /// As the API writes them.
  private struct Settings: Codable {
    let checkIns: Bool
    let affirmations: Bool
    let review: Bool
    let tips: Bool
    let quotes: Bool
    let mails: Bool
    let time: String

    init(_ settings: ReminderSettings) {
      checkIns = settings.checkIns
      affirmations = settings.affirmations
      review = settings.review
      tips = settings.tips
      quotes = settings.quotes
      mails = settings.mails
      time = LocalTime.text(settings.minute)
    }

    var read: ReminderSettings {
      get throws {
        var settings = ReminderSettings()
        settings.checkIns = checkIns
        settings.affirmations = affirmations
        settings.review = review
        settings.tips = tips
        settings.quotes = quotes
        settings.mails = mails
        guard let minute = LocalTime.minute(time) else {
          throw Problem.wrong("time", "is no time of a day")
        }
        settings.minute = minute
        return settings
      }
    }
  }
}
