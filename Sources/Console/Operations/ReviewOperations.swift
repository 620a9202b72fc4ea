import AlertCore
import Bridge
import FobBase
import HTTPTypes
import Hummingbird

/// What the owner writes of an alarm (R80 to R84): read and changed by the PIN, and in no log.
enum ReviewOperations {
  private static let id = Operation.Parameter.path("id", ReviewShapes.id, "The review")
  private static let asItIs = JSONSchema.reference("Review")
  private static let done = [Operation.Success.json(.reference("Done"), "It is durable")]
  private static let nothing = Operation.Form.json(.closed(), isRequired: false)
  private static let states = Review.State.allCases.map(\.rawValue)

  static let all = [
    Operation(
      method: .get, path: "/v1/reviews", scope: .administer,
      summary: "Reviews, the latest begun first: of a week, or of all",
      parameters: [
        ReviewShapes.pin, .query("week", ReviewShapes.week, "Those begun in this week"),
        .query("state", .choice(states), "Those of this state"),
        .query("incident", .incident, "That of this alarm"),
        .query("before", ReviewShapes.id, "Those with a lesser id"),
        .query("limit", .integer(1...Int64(ConsoleLimits.rows)), "At most so many"),
      ],
      success: [.json(list, "more goes on, as before; without a week, week is the present one")],
      problems: Operation.refusals, handler: show),
    Operation(
      method: .post, path: "/v1/reviews", scope: .administer,
      summary: "Begins the review of an alarm that is over, or of none",
      parameters: [ReviewShapes.pin],
      form: .json(.closed(.optional("incident", .incident)), isRequired: false),
      success: [.json(asItIs, "As it is now", status: .created)], problems: Operation.refusals,
      handler: begin),
    Operation(
      method: .get, path: "/v1/reviews/export", scope: .administer,
      summary: "All reviews with all that was written, and the steps of new ones",
      parameters: [ReviewShapes.pin],
      success: [
        .json(
          .open(
            .needed("reviews", .array(asItIs, limit: Reviews.limit)),
            .needed("template", .reference("ReviewTemplate"))), "In the order of their ids")
      ], problems: Operation.refusals, handler: export),
    Operation(
      method: .get, path: "/v1/reviews/offer", scope: .observe,
      summary: "The last alarm, where it may be looked back on: it has no review yet",
      success: [
        .json(
          .open(
            .optional("incident", .incident), .optional("openedAt", CheckInShapes.moment),
            .optional("offeredAt", CheckInShapes.moment)), "Empty: nothing is offered")
      ], handler: { Reply.json(Offer($0.core.reviews.offer)) }),
    Operation(
      method: .delete, path: "/v1/reviews/offer", scope: .operate,
      summary: "Not now: it is offered no more, and can be begun later all the same",
      form: nothing, success: done, problems: Operation.refusals,
      handler: { try await $0.perform(.review(.decline, isProven: false)) }),
    Operation(
      method: .get, path: "/v1/reviews/template", scope: .observe,
      summary: "The steps of new reviews",
      success: [.json(.reference("ReviewTemplate"), "As they are now")], handler: template),
    Operation(
      method: .put, path: "/v1/reviews/template", scope: .administer,
      summary: "Replaces the steps of new reviews", parameters: [ReviewShapes.pin],
      form: .json(.closed(.needed("steps", ReviewShapes.steps)), isRequired: true),
      success: [.json(.reference("ReviewTemplate"), "As they are now")],
      problems: Operation.refusals, handler: setTemplate),
    Operation(
      method: .get, path: "/v1/reviews/{id}", scope: .administer,
      summary: "A review with its answers and what was saved before",
      parameters: [id, ReviewShapes.pin], success: [.json(asItIs, "As it is now")],
      problems: Operation.refusals, handler: showOne),
    Operation(
      method: .put, path: "/v1/reviews/{id}/steps/{step}", scope: .administer,
      summary: "Saves an answer; version is the one that was read, 0 before the first",
      parameters: [id, .path("step", .integer(1...4), "Which step"), ReviewShapes.pin],
      form: .json(
        .closed(.needed("text", ReviewShapes.text), .needed("version", .count)), isRequired: true),
      most: ConsoleLimits.body, success: [.json(asItIs, "As it is now, and durable")],
      problems: Operation.refusals, handler: save),
    Operation(
      method: .post, path: "/v1/reviews/{id}/complete", scope: .administer,
      summary: "All four steps have their answer", parameters: [id, ReviewShapes.pin],
      form: nothing, success: [.json(asItIs, "As it is now")], problems: Operation.refusals,
      handler: complete),
    Operation(
      method: .delete, path: "/v1/reviews/{id}", scope: .administer,
      summary: "Deletes a review with all that was written in it",
      parameters: [id, ReviewShapes.pin], form: nothing, success: done,
      problems: Operation.refusals,
      handler: { call in
        Reply.json(Done(try await call.review(.delete(try number(of: call)))))
      }),
    Operation(
      method: .put, path: "/v1/incidents/{id}/outcome", scope: .administer,
      summary: "What an alarm was, as the owner knows it now",
      parameters: [.path("id", .incident, "The incident"), ReviewShapes.pin],
      form: .json(
        .closed(
          .needed("outcome", .choice(Survey.Outcome.allCases.map(\.rawValue))),
          .optional("fell", .nullable(.boolean))), isRequired: true),
      success: done, problems: Operation.refusals, handler: setOutcome),
  ]

  // MARK: Lists

  private static let list = JSONSchema.open(
    .needed("reviews", .array(.reference("ReviewSummary"), limit: ConsoleLimits.rows)),
    .optional("more", ReviewShapes.id), .needed("week", ReviewShapes.week),
    .needed("previous", ReviewShapes.week), .needed("next", ReviewShapes.week),
    .needed("today", CheckInShapes.date),
    .needed(
      "days",
      .array(.open(.needed("date", CheckInShapes.date), .needed("count", .count)), limit: 7)),
    .needed("total", .count), .needed("inProgress", .count),
    .needed(
      "isFull",
      .described(.boolean, "the next one takes the place of the oldest completed one of no alarm")))

  private struct List: Encodable {
    struct Day: Encodable {
      let date: CivilDate
      let count: Int
    }

    let reviews: [ReviewSummary]
    let more: Int?
    let week: String
    let previous: String
    let next: String
    let today: CivilDate
    let days: [Day]
    let total: Int
    let inProgress: Int
    let isFull: Bool
  }

  private static func show(_ call: Call) async throws -> Response {
    try await call.provePIN()
    let asked = try call.query["week"].map { text throws(Problem) in
      guard let week = ISOWeek(text: text) else { throw .wrong("week", "no week of the calendar") }
      return week
    }
    let state = call.query["state"].flatMap { Review.State(rawValue: $0) }
    let incident = call.query["incident"].flatMap { IncidentID($0) }
    let before = call.query["before"].flatMap { Int($0) }
    let (core, limit) = (call.core, call.limit)
    let list = try await call.api.lists.run(of: call.owner) {
      let (reviews, zone) = (core.reviews, core.checkIns.zone ?? .utc)
      let all = reviews.reviews.values.map { ReviewSummary($0, in: zone) }
      let week = asked ?? ISOWeek(zone.date(at: core.wall))
      let found = all.filter { review in
        (asked == nil || ISOWeek(review.day) == week) && (state ?? review.state) == review.state
          && (incident == nil || review.incident == incident) && review.id < before ?? .max
      }.sorted { $0.id > $1.id }
      return List(
        reviews: Array(found.prefix(limit)),
        more: found.count > limit ? found[limit - 1].id : nil, week: week.text,
        previous: week.advanced(by: -1).text, next: week.advanced(by: 1).text,
        today: zone.date(at: core.wall),
        days: week.days.map { day in List.Day(date: day, count: all.count { $0.day == day }) },
        total: all.count, inProgress: all.count { $0.state == .inProgress },
        isFull: reviews.isFull)
    }
    return Reply.json(list)
  }

  private struct Template: Encodable {
    let steps: [ReviewStepView]

    init(_ reviews: Reviews) { steps = reviews.template.map { ReviewStepView($0) } }
  }

  private struct Export: Encodable {
    let reviews: [ReviewView]
    let template: Template
  }

  private static func export(_ call: Call) async throws -> Response {
    try await call.provePIN()
    let core = call.core
    return try await call.api.lists.run(of: call.owner) {
      let (reviews, zone) = (core.reviews, core.checkIns.zone ?? .utc)
      let all = reviews.reviews.values.sorted { $0.id < $1.id }.map { ReviewView($0, in: zone) }
      return Reply.json(Export(reviews: all, template: Template(reviews)))
    }
  }

  private struct Offer: Encodable {
    let incident: IncidentID?
    let openedAt: Int64?
    let offeredAt: Int64?

    init(_ offer: ReviewOffer?) {
      (incident, openedAt, offeredAt) = (offer?.incident, offer?.openedAt, offer?.offeredAt)
    }
  }

  private static func template(_ call: Call) async throws -> Response {
    Reply.json(Template(call.core.reviews))
  }

  private static func showOne(_ call: Call) async throws -> Response {
    try await call.provePIN()
    return try view(try number(of: call), call)
  }

  private static func view(
    _ id: Int, _ call: Call, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    guard let review = call.core.reviews.reviews[id] else {
      throw Problem(UserCommand.Refusal.unknownReview)
    }
    return Reply.json(ReviewView(review, in: call.core.checkIns.zone ?? .utc), status: status)
  }

  // MARK: Changes

  private static func begin(_ call: Call) async throws -> Response {
    let incident = try call.body.json["incident"]?.text.map { text throws(Problem) in
      guard let id = IncidentID(text) else { throw .notFound }
      return id
    }
    if let incident {
      guard try await call.reading({ try $0.incident(incident) }) != nil else {
        throw Problem.notFound
      }
    }
    guard let made = try await call.review(.begin(incident)).made else {
      throw Problem(.conflict, "changedMeanwhile", "begun, and deleted again meanwhile")
    }
    return try view(made, call, status: .created)
  }

  private static func save(_ call: Call) async throws -> Response {
    let (id, json) = (try number(of: call), call.body.json)
    let (step, text) = (Int(call.parameter("step")) ?? 0, json["text"]?.text ?? "")
    let version = json["version"]?.whole.flatMap { Int(exactly: $0) } ?? 0
    do {
      _ = try await call.review(.save(id, step: step, text: text, version: version))
    } catch var problem as Problem where problem.code == UserCommand.Refusal.changed.code {
      problem.stored = call.core.reviews.reviews[id]?.answers[step - 1]
      problem.yours = text
      throw problem
    }
    return try view(id, call)
  }

  private static func complete(_ call: Call) async throws -> Response {
    let id = try number(of: call)
    _ = try await call.review(.complete(id))
    return try view(id, call)
  }

  private struct Steps: Decodable {
    struct Step: Decodable {
      let key: String
      let label: String
      let question: String
      let info: String?
    }

    let steps: [Step]
  }

  private static func setTemplate(_ call: Call) async throws -> Response {
    let written: Steps = try call.decode()
    let steps = written.steps.map {
      ReviewStep(key: $0.key, label: $0.label, question: $0.question, info: $0.info ?? "")
    }
    _ = try await call.review(.template(steps))
    return try await template(call)
  }

  private static func setOutcome(_ call: Call) async throws -> Response {
    guard let id = IncidentID(call.parameter("id")) else { throw Problem.notFound }
    let survey: Survey = try call.decode()
    guard let past = try await call.reading({ try $0.incident(id) }) else {
      throw Problem.notFound
    }
    return Reply.json(Done(try await call.review(.outcome(past, survey))))
  }

  private static func number(of call: Call) throws(Problem) -> Int {
    guard let id = Int(call.parameter("id")) else { throw .notFound }
    return id
  }
}

extension Call {
  private var pinInHeader: String? { query["Fob-PIN"] }

  /// - Throws: `Problem`, unless the owner's PIN is in the header, or none is set.
  fileprivate func provePIN() async throws {
    let (core, who, source, pin) = (core, who, source, pinInHeader)
    _ = try await whereTheyHash { core.prove(pin: pin, by: who, source: source, answer: $0) }
  }

  /// As `change`, with the PIN in the header.
  fileprivate func review(_ command: ReviewCommand) async throws -> Answer {
    let (core, who, source, pin) = (core, who, source, pinInHeader)
    return try await whereTheyHash {
      core.review(command, pin: pin, by: who, source: source, answer: $0)
    }
  }
}
