import HTTPTypes
import Hummingbird

/// The help texts of the view Calm, as they were shipped (R78).
enum HelpOperations {
  private static let tag = JSONSchema.text(1...35)
  private static let topics = HelpText.Topic.allCases.map(\.rawValue).joined(separator: ", ")

  static let all = [
    Operation(
      method: .get, path: "/v1/help/{topic}", scope: .observe,
      summary: "The help text of \(topics), as it was shipped",
      parameters: [
        .path("topic", .text(1...100), "Another one is answered with the list of them"),
        .query("language", tag, "As in de or de-CH; English where there is no text in it"),
        Operation.Parameter(
          name: "Accept-Language", place: .header, schema: .text(0...1_000),
          summary: "Without language in the query"),
      ],
      success: [.other("text/plain", "In UTF-8; Content-Language says in which language")],
      handler: show)
  ]

  private static func show(_ call: Call) async throws -> Response {
    guard let topic = HelpText.Topic(rawValue: call.parameter("topic")) else {
      throw Problem(.notFound, "notFound", "there is help on \(topics)")
    }
    let language =
      if let tag = call.query["language"] {
        HelpText.Language(tag: tag)
      } else {
        call.query["Accept-Language"].flatMap { HelpText.Language(accepted: $0) }
      }
    var response = Reply.bytes(
      HelpText(topic, in: language ?? .en).bytes, "text/plain; charset=utf-8")
    response.headers[.contentLanguage] = (language ?? .en).rawValue
    response.headers[.vary] = "Accept-Language"
    return response
  }
}
