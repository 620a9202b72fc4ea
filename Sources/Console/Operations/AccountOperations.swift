import AlertCore
import Bridge
import FobBase
import HTTPTypes
import Hummingbird
import Synchronization

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
        .delete, "/v1/account",
        "Erases the account with all that its owner entered; past alarms stay without names, words"
          + " and positions; it needs the PIN once one is set",
        .closed(.optional("pin", .pin), .needed("confirm", .choice(["delete"]))), handler: erase),
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
      change(
        .post, "/v1/account/logout",
        "Logs out: then nobody is told of an alarm; it needs the PIN once one is set", pinOnly
      ) { try await changed($0, .logOut) },
      change(
        .post, "/v1/account/pin/check", "Says whether the PIN is right, and changes nothing",
        pinOnly, handler: checkPIN),
      Operation(
        method: .post, path: "/v1/account/email", scope: nil,
        summary: "Says whether the account has this mail address, before a PIN is asked for",
        form: .json(.closed(.needed("email", .text(1...200))), isRequired: true),
        most: ConsoleLimits.anonymousRequestSize,
        success: [.nothing("It has")], problems: [404, 429], handler: checkEmail),
      change(.post, "/v1/account/set-up/finish", "From here on changes need the PIN", pinOnly) {
        try await changed($0, .finishSetUp)
      },
      change(.put, "/v1/protection", "Starts protection, or says what it lacks", pinOnly) {
        try await changed($0, .startProtection)
      },
      change(
        .delete, "/v1/protection",
        "Stops protection; a press still counts; it needs the PIN once one is set", pinOnly
      ) { try await changed($0, .stopProtection) },
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
    guard call.core.account.exists else {
      throw Problem(.notFound, "noAccount", UserCommand.Refusal.noAccount.description)
    }
    return Reply.json(AccountView(call))
  }

  /// An edit of nothing is refused as such once the PIN was right.
  private static func checkPIN(_ call: Call) async throws -> Response {
    do {
      return try await changed(call, .edit(.init()))
    } catch let problem as Problem where problem.code == UserCommand.Refusal.unchanged.code {
      return Reply.json(
        Done(Answer(state: call.core.status.state, refusal: nil, isDurable: true)))
    }
  }

  private static func checkEmail(_ call: Call) async throws -> Response {
    try call.requireOwner(try call.decode(Secrets.self).email ?? "")
    return Reply.empty()
  }

  private static func create(_ call: Call) async throws -> Response {
    _ = try await call.change(.create(try call.decode()), pin: nil)
    return Reply.json(AccountView(call), status: .created)
  }

  private static func edit(_ call: Call) async throws -> Response {
    _ = try await call.change(.edit(try call.decode()), pin: try call.decode(Secrets.self).pin)
    return Reply.json(AccountView(call))
  }

  /// The hash is slow on purpose, so it is made on the thread for PINs.
  private static func setPIN(_ call: Call) async throws -> Response {
    let secrets: Secrets = try call.decode()
    guard let pin = PIN(secrets.pin ?? "") else {
      throw Problem(.unprocessableContent, "invalid", "the PIN has four digits", field: "pin")
    }
    let hash = try await call.api.pins.run(of: call.owner) { pin.hash() }
    let done = Done(try await call.change(.setPIN(hash: hash), pin: secrets.current))
    // Whoever knew the old one, or has a browser that was left open, is out.
    let own = call.session
    try await call.endSessions { $0 != own }
    return Reply.json(done)
  }

  /// Other browsers are out; this one is to make the next account.
  private static func erase(_ call: Call) async throws -> Response {
    if call.core.account.exists { try call.api.erasures.count(for: call.caller) }
    let response = try await changed(call, .erase)
    let own = call.session
    try await call.endSessions { $0 != own }
    return response
  }

  private static func forgotPIN(_ call: Call) async throws -> Response {
    let (core, who, source) = (call.core, call.who, call.source)
    let answer = try await call.durableAnswer(within: ConsoleLimits.mailed) { put in
      let isTaken = call.api.mails.put(of: call.owner) {
        core.forgotPIN(by: who, source: source, answer: put)
      }
      guard isTaken else { throw Problem.busy("mails") }
    }
    return Reply.json(Done(answer))
  }

  private static func logIn(_ call: Call) async throws -> Response {
    let secrets: Secrets = try call.decode()
    let account = call.core.account
    guard account.exists, let email = secrets.email,
      email.lowercased() == account.email.lowercased()
    else {
      throw Problem.unknownEmail
    }
    return Reply.json(Done(try await call.change(.logIn, pin: secrets.pin)))
  }
}

/// The account as the API shows it: whether there is a PIN, and nothing made from it.
struct AccountView: Encodable {
  let name: String
  let email: String
  let mobile: String
  let country: String
  let language: String
  let possessive: String
  let zone: String
  let mayLocate: Bool
  /// Minutes (R37).
  let messageEvery: Int
  let isSetUp: Bool
  let isLoggedIn: Bool
  let isEmailConfirmed: Bool
  let confirmation: Confirmation
  let isProtecting: Bool
  let hasPIN: Bool
  /// How many there are (R18).
  let contacts: Int
  /// Nil: every keychain, as on a bench.
  let devices: [String]?
  let places: [Place]

  init(_ call: Call) {
    let account = call.core.account
    confirmation = call.confirmation(of: account)
    name = account.name
    email = account.email
    mobile = account.mobile
    country = account.country
    language = account.language
    possessive = account.possessive
    zone = account.zone
    mayLocate = account.mayLocate
    messageEvery =
      account.messageEvery ?? Int(Policy().messageEvery.microseconds / 60_000_000)
    isSetUp = account.isSetUp
    isLoggedIn = account.isLoggedIn
    isEmailConfirmed = account.isEmailConfirmed
    isProtecting = account.isProtecting
    hasPIN = account.pinHash != nil
    contacts = account.contacts.count
    devices = account.devices
    places = account.places
  }
}

/// How far the confirmation of the mail address is (R12): nothing says that a link was mailed
/// unless one was.
enum Confirmation: String, Encodable, CaseIterable {
  case confirmed
  /// A link was mailed to this address since the core started.
  case mailed
  /// A link can be mailed.
  case possible
  /// No channel mails, or no address leads back here.
  case noMail
  case noAddress
}

/// A contact as the API shows it (R15).
struct ContactView: Encodable {
  let id: ContactID
  let name: String
  let numbers: [ContactDraft.Number]
  let email: String?
  /// BCP 47; nil: the account's.
  let language: String?
  /// The sinks that can reach this contact.
  let ways: [String]

  init(_ contact: Contact) {
    id = contact.id
    name = contact.name
    numbers = contact.numbers.enumerated().map {
      ContactDraft.Number(number: $1, chosen: $0 == contact.chosen)
    }
    email = contact.email
    language = contact.language
    ways = contact.ways
  }
}

/// Confirms the mail address by a link that is mailed to it (R12).
///
/// Programs that scan mail follow links: opening the page changes nothing, its button does.
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
    guard !account.email.isEmpty else {
      throw Problem(.conflict, "noAddress", "the account has no mail address; give it one")
    }
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
    try await call.api.mails.run(of: call.owner) {
      do {
        try mail(account.email, "Confirm Email Address", text, "confirm/\(token.prefix(16))")
      } catch {
        throw Problem(.failedDependency, "mailFailed", "the mail was not taken; try again")
      }
    }
    call.api.confirmationsMailed.withLock { mailed in
      // Bounded, since addresses may be changed for ever; who is forgotten may ask again.
      if mailed.count == ConsoleLimits.confirmations { mailed.removeAll() }
      mailed.insert(account.email)
    }
    return Reply.empty()
  }

  private static let done = Page.html("Confirmed", "<p>The mail address is confirmed.</p>")

  private static func ask(_ call: Call) async throws -> Response {
    guard try owner(of: call).core.account.isEmailConfirmed else {
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
    let call = try owner(of: call)
    if !call.core.account.isEmailConfirmed {
      _ = try await call.change(.confirmEmail, pin: nil)
    }
    return done
  }

  /// The call as one of the account to whose address the link was mailed.
  /// - Throws: `Problem` if there is no such account.
  private static func owner(of call: Call) throws(Problem) -> Call {
    guard let token = call.query["token"] else { throw Problem.notFound }
    for number in call.api.accountNumbers {
      guard let account = call.api.core(of: number)?.account else { continue }
      if account.exists, call.api.links.isConfirmation(token, of: account.email) {
        return try call.of(number)
      }
    }
    throw Problem.notFound
  }
}

extension Call {
  func confirmation(of account: Account) -> Confirmation {
    if account.isEmailConfirmed { return .confirmed }
    if account.email.isEmpty { return .noAddress }
    if api.mail == nil || originOfLinks == nil { return .noMail }
    return api.confirmationsMailed.withLock { $0.contains(account.email) } ? .mailed : .possible
  }

  /// Why the owner can be mailed nothing now, for people; nil: mails can be sent.
  var mailWarning: String? {
    switch confirmation(of: core.account) {
    case .confirmed:
      api.mail == nil ? "no mail can be sent: no channel for mail is configured" : nil
    case .mailed, .possible: "no mail can be sent until the account's address is confirmed"
    case .noMail:
      "no mail can be sent until the account's address is confirmed, which needs a channel for mail"
        + " and a public address"
    case .noAddress: "no mail can be sent: the account has no mail address"
    }
  }

  /// The beginning of links in mails to the owner; nil if the owner could open none.
  fileprivate var originOfLinks: String? {
    if let url = api.publicURL { return url }
    // This name is safe to use: the host rule has checked it.
    guard api.mailsLeadBack, let authority = request.head.authority else { return nil }
    return "\(api.isTLS ? "https" : "http")://\(authority)"
  }
}
