import AlertCore
import FobBase
import HTTPTypes
import Hummingbird
import Sinks

/// Emergencies: past incidents, and commands for the present one (R36 to R54, G5, G20).
enum IncidentOperations {
  private static let id = Operation.Parameter.path("id", .incident, "The incident")

  static let all =
    [
      Operation(
        method: .get, path: "/v1/incidents", scope: .observe, summary: "Incidents, newest first",
        parameters: [
          .query("limit", .integer(1...Int64(ConsoleLimits.rows)), "At most so many"),
          .query("before", .incident, "Those that come after this one"),
        ],
        success: [
          .json(
            .open(
              .needed("incidents", .array(.reference("Incident"), limit: ConsoleLimits.rows)),
              .optional("next", .incident)), "next goes on, as before")
        ], handler: list),
      Operation(
        method: .get, path: "/v1/incidents/{id}", scope: .observe,
        summary: "All that is known of an incident, as one document", parameters: [id],
        success: [.json(.open(), "The document")], handler: document),
      Operation(
        method: .get, path: "/v1/incidents/{id}/alert.xml", scope: .observe,
        summary: "An incident as it stands, as an alert of the Common Alerting Protocol 1.2",
        parameters: [id], success: [.other(CAPAlert.mediaType, "The alert")], handler: alert),
      userCommand("silence", "Stops the sounder; the emergency goes on") { _ in .silence },
      userCommand("cancel", "Ends the emergency, where no PIN is set") { _ in .cancel },
      userCommand("quit", "Stops the sounder and opens the survey; the emergency goes on") { _ in
        .quit
      },
      userCommand("resume", "Protects again after an emergency has ended") { _ in .resume },
      userCommand("end", "Ends an emergency that belongs to nobody", scope: .administer) { _ in
        .endUnowned
      },
      userCommand(
        "acknowledge", "A contact has it in hand",
        .closed(.needed("contact", .text(1...200)))
      ) { .acknowledge($0.body.json["contact"]?.text ?? "") },
      userCommand("survey", "What the person says of it", survey) { .survey(try $0.decode()) },
      Operation(
        method: .post, path: "/v1/incidents/{id}/survey", scope: .operate,
        summary: "What the person says of it later, after resume, too", parameters: [id],
        form: .json(survey, isRequired: false),
        success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
        handler: surveyPast),
      Operation(
        method: .post, path: "/v1/incidents/current/disarm", scope: .operate,
        summary: "Ends the emergency by PIN",
        form: .json(.closed(.needed("pin", .pin)), isRequired: true), isUrgent: true,
        success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
        handler: disarm),
      Operation(
        method: .post, path: "/v1/triggers", scope: .operate,
        summary: "A fall or an overdue check-in: begins the countdown",
        form: .json(
          .closed(
            .needed("source", .choice(Trigger.Source.allCases.map(\.rawValue))),
            .needed("device", .device), .needed("key", .text(1...100))),
          isRequired: true),
        isUrgent: true,
        success: [.json(.reference("Done"), "It is durable", status: .accepted)],
        problems: Operation.refusals, handler: trigger),
    ]

  private static func userCommand(
    _ name: String, _ summary: String, _ schema: JSONSchema = .closed(),
    scope: Scope = .operate, make: @escaping @Sendable (Call) throws -> UserCommand
  ) -> Operation {
    let isRequired =
      if case .object(let properties, _) = schema { properties.contains(where: \.isRequired) } else
      {
        false
      }
    return Operation(
      method: .post, path: "/v1/incidents/current/\(name)", scope: scope, summary: summary,
      form: .json(schema, isRequired: isRequired), isUrgent: true,
      success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
      handler: { try await $0.perform(try make($0)) })
  }

  private static let survey = JSONSchema.closed(
    .optional("fell", .nullable(.boolean)),
    .optional("outcome", .nullable(.choice(Survey.Outcome.allCases.map(\.rawValue)))))

  private static func surveyPast(_ call: Call) async throws -> Response {
    let id = try incident(call.parameter("id"))
    let survey: Survey = try call.decode()
    guard let past = try await call.reading({ try $0.incident(id) }) else {
      throw Problem.notFound
    }
    return try await call.perform(.surveyOfPast(past, survey))
  }

  private static func disarm(_ call: Call) async throws -> Response {
    let (core, who, source) = (call.core, call.who, call.source)
    let pin = call.body.json["pin"]?.text ?? ""
    return try await call.answer { put in
      let isTaken = call.api.pins.put(of: call.owner, isUrgent: true) {
        core.disarm(pin: pin, by: who, source: source, answer: put)
      }
      guard isTaken else { throw Problem.busy("PINs") }
    }
  }

  private static func trigger(_ call: Call) async throws -> Response {
    let json = call.body.json
    guard let source = json["source"]?.text.flatMap(Trigger.Source.init(rawValue:)),
      let device = json["device"]?.text.flatMap({ DeviceID(text: $0) }),
      let key = json["key"]?.text
    else { throw Problem(.unprocessableContent, "wrongShape", "source, device and key") }
    let (core, who) = (call.core, call.who)
    let trigger = Trigger(source: source, device: device, key: key)
    let answer = try await call.durableAnswer { put in
      core.perform(.trigger(trigger), by: who, answer: put)
    }
    return Reply.json(Done(answer), status: .accepted)
  }

  private struct Rows: Encodable {
    let incidents: [Incident]
    let next: IncidentID?
  }

  private static func list(_ call: Call) async throws -> Response {
    let limit = call.limit
    let before = try call.query["before"].map { text throws(Problem) in try incident(text) }
    let rows = try await call.reading { try $0.incidents(limit: limit, before: before) }
    return Reply.json(
      Rows(incidents: rows, next: rows.count == limit ? rows.last?.id : nil))
  }

  private static func document(_ call: Call) async throws -> Response {
    let id = try incident(call.parameter("id"))
    guard let document = try await call.reading({ try $0.document(of: id) }) else {
      throw Problem.notFound
    }
    return Reply.json(bytes: document)
  }

  private static func alert(_ call: Call) async throws -> Response {
    let id = try incident(call.parameter("id"))
    guard let alert = try await call.reading({ try $0.alert(of: id) }) else {
      throw Problem.notFound
    }
    return Reply.bytes(alert, CAPAlert.mediaType)
  }

  private static func incident(_ text: String) throws(Problem) -> IncidentID {
    guard let id = IncidentID(text) else { throw .notFound }
    return id
  }
}
