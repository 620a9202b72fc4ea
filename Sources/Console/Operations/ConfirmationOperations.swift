import AlertCore
import FobBase
import Hummingbird

/// The mail address is confirmed by a link that is sent to it (R12).
///
/// Programs that look at mail follow links: to open it changes nothing, the button on it does.
enum ConfirmationOperations {
  private static let token = Operation.Parameter.query("token", .text(0...200), "Of the link")

  static let all = [
    Operation(
      method: .post, path: "/v1/account/confirmation", scope: .operate,
      summary: "Mails the link that confirms the account's address, again",
      success: [.nothing("The mail is on its way")], problems: [409, 424],
      handler: send),
    Operation(
      method: .get, path: "/v1/account/confirm", scope: nil,
      summary: "What the link in the mail opens",
      parameters: [token],
      success: [.other("text/html", "It asks for a press of its button")],
      problems: [404], handler: ask),
    Operation(
      method: .post, path: "/v1/account/confirm", scope: nil,
      summary: "The button on it: the address is confirmed",
      parameters: [token], form: .button, most: ConsoleLimits.anonymousRequestSize,
      success: [.other("text/html", "The address is confirmed")],
      problems: [404, 409], handler: confirm),
  ]

  private static func send(_ call: Call) async throws -> Response {
    let account = call.core.account
    guard account.exists else { throw Problem(UserCommand.Refusal.noAccount) }
    guard !account.isEmailConfirmed else { throw Problem(UserCommand.Refusal.unchanged) }
    guard let mail = call.api.mail, let origin = call.originOfLinks else {
      throw Problem(
        .failedDependency, "noMail",
        "no notification channel for mail, or no public address, is configured; configure both")
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

  private static let done = Page.html("Confirmed", "<p>The mail address is confirmed.</p>")

  private static func ask(_ call: Call) async throws -> Response {
    guard try account(of: call).isEmailConfirmed else {
      return Page.html(
        "Confirm the mail address",
        """
        <p>Press the button if this is the mail address of your SafeTime account.</p>
        <form method="post"><button type="submit">This is my mail address</button></form>
        """)
    }
    return done
  }

  private static func confirm(_ call: Call) async throws -> Response {
    if try !account(of: call).isEmailConfirmed {
      _ = try await call.change(.confirmEmail, pin: nil)
    }
    return done
  }

  /// - Throws: `Problem` where the link is not of this account's address.
  private static func account(of call: Call) throws(Problem) -> Account {
    let account = call.core.account
    guard account.exists, let token = call.query["token"],
      call.api.links.isConfirmation(token, of: account.email)
    else { throw Problem.notFound }
    return account
  }
}

extension Call {
  /// What a link in a mail to the owner begins with; nil where there is none that they can open.
  fileprivate var originOfLinks: String? {
    if let url = api.publicURL { return url }
    // A name that this server answers to: the authorizer has let it through.
    guard api.mailsLeadBack, let authority = request.head.authority else { return nil }
    return "\(api.isTLS ? "https" : "http")://\(authority)"
  }
}
