import AlertCore
import FobBase
import Hummingbird

/// The mail address is confirmed by a link that is sent to it (R12).
enum ConfirmationOperations {
  static let all = [
    Operation(
      method: .post, path: "/v1/account/confirmation", scope: .operate,
      summary: "Mails the link that confirms the account's address, again",
      success: [.nothing("The mail is on its way")], problems: [409, 424],
      handler: send),
    Operation(
      method: .get, path: "/v1/account/confirm", scope: nil,
      summary: "What the link in the mail opens",
      parameters: [.query("token", .text(0...200), "Of the link")],
      success: [.other("text/html", "It says whether the address is confirmed")],
      problems: [404, 409], handler: confirm),
  ]

  private static func send(_ call: Call) async throws -> Response {
    let account = call.core.account
    guard account.exists else { throw Problem(Verb.Refusal.noAccount) }
    guard !account.isEmailConfirmed else { throw Problem(Verb.Refusal.unchanged) }
    guard let mail = call.api.mail, let origin = call.originOfLinks else {
      throw Problem(
        .failedDependency, "noMail",
        "no way out for mail, or no public address, is configured; configure both")
    }
    let token = call.api.links.confirmation(of: account.email)
    let text = """
      Confirm that this is the mail address of your SafeTime account:
      \(origin)/v1/account/confirm?token=\(token)
      """
    try await call.api.mails.run {
      do {
        try mail(account.email, "Confirm Email Address", text, "confirm/\(token.prefix(16))")
      } catch {
        throw Problem(.failedDependency, "mailFailed", "the mail was not taken; try again")
      }
    }
    return Reply.empty()
  }

  private static func confirm(_ call: Call) async throws -> Response {
    let account = call.core.account
    guard account.exists, let token = call.query["token"],
      call.api.links.isConfirmation(token, of: account.email)
    else { throw Problem.notFound }
    if !account.isEmailConfirmed { _ = try await call.change(.confirmEmail, pin: nil) }
    return Page.html("Confirmed", "<p>The mail address is confirmed.</p>")
  }
}

extension Call {
  /// What a link in a mail to the owner begins with; nil where there is none that they can open.
  fileprivate var originOfLinks: String? {
    if let url = api.publicURL { return url }
    // A name that this server answers to: the gatekeeper has let it through.
    guard api.mailsLeadBack, let authority = request.head.authority else { return nil }
    return "\(api.isTLS ? "https" : "http")://\(authority)"
  }
}
