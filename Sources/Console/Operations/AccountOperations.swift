import AlertCore
import Bridge
import FobBase
import HTTPTypes
import Hummingbird

/// The account and its PIN (R5 to R13, R19, R20, R57).
enum AccountOperations {
  private static let done = [Operation.Success.json(.reference("Done"), "It is durable")]
  private static let pinOnly = JSONSchema.closed(.optional("pin", .pin))

  static let all =
    [
      Operation(
        method: .get, path: "/v1/account", scope: .observe, summary: "The account",
        success: [.json(.reference("Account"), "Without its PIN")], problems: [404],
        handler: show),
      Operation(
        method: .post, path: "/v1/account", scope: .administer, summary: "Makes the account",
        form: .json(.reference("Profile"), isRequired: true), most: ConsoleLimits.body,
        success: [.json(.reference("Account"), "As it is now", status: .created)],
        problems: Operation.refusals, handler: create),
      Operation(
        method: .patch, path: "/v1/account", scope: .administer,
        summary: "Edits the account; after set-up it needs the PIN",
        form: .json(
          .object(Components.profileParts + [.optional("pin", .pin)], open: false),
          isRequired: true),
        most: ConsoleLimits.body,
        success: [.json(.reference("Account"), "As it is now")], problems: Operation.refusals,
        handler: edit),
      change(
        .put, "/v1/account/pin", "Sets the PIN; where one is set it needs the current one",
        .closed(.optional("current", .pin), .needed("pin", .pin)), handler: setPIN),
      Operation(
        method: .post, path: "/v1/account/pin/forgot", scope: .operate,
        summary: "Mails a new PIN; the old one counts until the new one is first used",
        success: done, problems: Operation.refusals.union([424]), handler: forgotPIN),
      change(
        .post, "/v1/account/login", "Logs the account in",
        .closed(.needed("email", .text(1...200)), .needed("pin", .pin)), handler: logIn),
      change(.post, "/v1/account/logout", "Logs out: then nobody is told of an alarm", pinOnly) {
        try await changed($0, .logOut)
      },
      change(.post, "/v1/account/set-up/finish", "From here on changes need the PIN", pinOnly) {
        try await changed($0, .finishSetUp)
      },
      change(.put, "/v1/protection", "Starts protection, or says what it lacks", pinOnly) {
        try await changed($0, .startProtection)
      },
      change(.delete, "/v1/protection", "Stops protection; a press still counts", pinOnly) {
        try await changed($0, .stopProtection)
      },
    ] + ConfirmationOperations.all

  private static func change(
    _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ schema: JSONSchema,
    handler: @escaping @Sendable (Call) async throws -> Response
  ) -> Operation {
    let isRequired =
      if case .object(let properties, _) = schema { properties.contains(where: \.isRequired) } else
      {
        true
      }
    return Operation(
      method: method, path: path, scope: .administer, summary: summary,
      form: .json(schema, isRequired: isRequired), success: done, problems: Operation.refusals,
      handler: handler)
  }

  private struct Secrets: Decodable {
    let pin: String?
    let current: String?
    let email: String?
  }

  private static func changed(_ call: Call, _ change: AccountChange) async throws -> Response {
    let pin = try call.decode(Secrets.self).pin
    return Reply.json(Done(try await call.change(change, pin: pin)))
  }

  private static func show(_ call: Call) async throws -> Response {
    let account = call.core.account
    guard account.exists else {
      throw Problem(.notFound, "noAccount", UserCommand.Refusal.noAccount.description)
    }
    return Reply.json(AccountView(account))
  }

  private static func create(_ call: Call) async throws -> Response {
    _ = try await call.change(.create(try call.decode()), pin: nil)
    return Reply.json(AccountView(call.core.account), status: .created)
  }

  private static func edit(_ call: Call) async throws -> Response {
    _ = try await call.change(.edit(try call.decode()), pin: try call.decode(Secrets.self).pin)
    return Reply.json(AccountView(call.core.account))
  }

  /// The hash is slow on purpose: it is made on the thread that may be slow.
  private static func setPIN(_ call: Call) async throws -> Response {
    let secrets: Secrets = try call.decode()
    guard let pin = PIN(secrets.pin ?? "") else {
      throw Problem(.unprocessableContent, "invalid", "the PIN has four digits", field: "pin")
    }
    let hash = try await call.api.pins.run { pin.hash() }
    return Reply.json(Done(try await call.change(.setPIN(hash: hash), pin: secrets.current)))
  }

  private static func forgotPIN(_ call: Call) async throws -> Response {
    let (core, who, source) = (call.core, call.who, call.source)
    let answer = try await call.durableAnswer(within: ConsoleLimits.mailed) { put in
      guard call.api.mails.put({ core.forgotPIN(by: who, source: source, answer: put) }) else {
        throw Problem.busy("mails")
      }
    }
    return Reply.json(Done(answer))
  }

  private static func logIn(_ call: Call) async throws -> Response {
    let secrets: Secrets = try call.decode()
    let account = call.core.account
    guard account.exists, let email = secrets.email,
      email.lowercased() == account.email.lowercased()
    else {
      throw Problem(
        .notFound, "unknownEmail", "no account has this mail address; try another",
        field: "email")
    }
    return Reply.json(Done(try await call.change(.logIn, pin: secrets.pin)))
  }
}
