import AlertCore
import FobBase
import HTTPTypes
import Hummingbird

/// The one-tap link that a contact gets: it is signed, so that it needs no token.
///
/// Programs that scan mail follow links: opening the page changes nothing, its button does.
enum AcknowledgeOperations {
  private static let token = Operation.Parameter.path("token", .text(1...400), "Of the link")
  private static let page = Operation.Success.other("text/html", "A page for a person")

  static let all = [
    Operation(
      method: .get, path: "/ack/{token}", scope: nil, summary: "Asks whether they have it in hand",
      parameters: [token], success: [page], handler: ask),
    Operation(
      method: .post, path: "/ack/{token}", scope: nil, summary: "They have it in hand",
      parameters: [token], form: .button, most: ConsoleLimits.anonymousRequestSize, isUrgent: true,
      success: [page], problems: [409], handler: acknowledge),
  ]

  private static let over = Page.html(
    "It is over", "<p>This emergency is over. You need not do anything.</p>")

  private static func ask(_ call: Call) async throws -> Response {
    guard let link = call.api.links.acknowledgement(call.parameter("token")) else {
      throw Problem.notFound
    }
    guard let core = call.api.core(of: link.account), isOpen(link, core) else { return over }
    return Page.html(
      "Emergency",
      """
      <p>Press the button if you have it in hand. The others are then told no more.</p>
      <form method="post"><button type="submit">I have it in hand</button></form>
      """)
  }

  private static func acknowledge(_ call: Call) async throws -> Response {
    guard let link = call.api.links.acknowledgement(call.parameter("token")) else {
      throw Problem.notFound
    }
    guard let core = call.api.core(of: link.account), isOpen(link, core) else { return over }
    do {
      _ = try await call.durableAnswer { put in
        core.perform(.acknowledge(link.contact), by: link.contact, answer: put)
      }
    } catch let problem as Problem where problem.code == UserCommand.Refusal.nothingOpen.code {
      return over
    }
    return Page.html("Thank you", "<p>It is noted that you have it in hand.</p>")
  }

  private static func isOpen(_ link: Links.Acknowledgement, _ core: any Core) -> Bool {
    guard let incident = core.status.incident else { return false }
    return incident.state.isOpen && incident.id == link.incident
  }
}

/// The small pages that are made here: no script, and nothing loaded from elsewhere.
enum Page {
  static func html(_ title: String, _ body: String) -> Response {
    var response = Reply.text(
      """
      <!doctype html><html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><title>\(title)</title>
      <style>body{font:1.2em sans-serif;margin:2em}button{font-size:1.5em;padding:1em}</style>
      <h1>\(title)</h1>
      \(body)
      </html>
      """, "text/html; charset=utf-8")
    response.headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    response.headers[.referrerPolicy] = "no-referrer"
    return response
  }
}
