import AlertCore
import FobBase
import HTTPTypes
import Hummingbird
import Sinks

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
  private static let unknown = Page.html(
    "Not known", "<p>It is not known here how this emergency stands.</p>")

  private static func ask(_ call: Call) async throws -> Response {
    guard let link = call.api.links.acknowledgement(call.parameter("token")) else {
      throw Problem.notFound
    }
    let core = call.api.core(of: link.account)
    guard let core, isOpen(link, core) else { return await ended(link, core, call) }
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
    let core = call.api.core(of: link.account)
    guard let core, isOpen(link, core) else { return await ended(link, core, call) }
    do {
      _ = try await call.durableAnswer { put in
        core.perform(.acknowledge(link.contact), by: link.contact, answer: put)
      }
    } catch let problem as Problem where problem.code == UserCommand.Refusal.nothingOpen.code {
      return await ended(link, core, call)
    }
    return Page.html("Thank you", "<p>It is noted that you have it in hand.</p>")
  }

  private static func isOpen(_ link: Links.Acknowledgement, _ core: any Core) -> Bool {
    guard let incident = core.status.incident else { return false }
    return incident.state.isOpen && incident.isNamed(link.incident)
  }

  /// What a contact reads of an emergency that is not open here any more. That they need not do
  /// anything is said only where its owner has ended all of it.
  private static func ended(
    _ link: Links.Acknowledgement, _ core: (any Core)?, _ call: Call
  ) async -> Response {
    guard let core else { return unknown }
    var incident = core.status.incident
    if incident?.isNamed(link.incident) != true {
      incident = try? await call.api.records.run(of: .visitor(of: link.account)) {
        try core.incident(link.incident)
      }
    }
    let account = core.account
    let contact = account.contacts.first { $0.id == link.contact }
    let now = Timestamp(boot: 0, instant: Instant(microseconds: 0), wall: core.wall)
    guard let incident,
      let ending = AlertText(account: account, language: contact?.language)
        .ending(of: incident, now: now)
    else { return unknown }
    if incident.endReason?.isClear == true, incident.handovers == nil { return over }
    return Page.html(
      XML.escape(ending.title), "<p>\(XML.escape(ending.text))</p>", language: ending.language)
  }
}

extension Incident {
  /// People may have been told of it by this name.
  fileprivate func isNamed(_ name: IncidentID) -> Bool { id == name || aliases.contains(name) }
}

/// The small pages that are made here: no script, and nothing loaded from elsewhere.
enum Page {
  static func html(_ title: String, _ body: String, language: String = "en") -> Response {
    var response = Reply.text(
      """
      <!doctype html><html lang="\(language)"><meta charset="utf-8">
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
