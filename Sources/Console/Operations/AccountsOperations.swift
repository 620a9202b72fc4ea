import AlertCore
import FobBase
import Hummingbird
import SerialIO

/// The accounts of a core, for who runs it. What an owner sees is their own account's, by a token
/// or a login of that account.
enum AccountsOperations {
  static let all = [
    Operation(
      method: .get, path: "/v1/accounts", scope: .administer,
      summary: "The accounts of this core, without what is private to their owners",
      success: [.json(.array(row, limit: AccountNumber.last.rawValue), "By their numbers")],
      problems: [404], handler: list),
    Operation(
      method: .post, path: "/v1/accounts", scope: .administer,
      summary: "Makes an account beside those that are there, and its first token",
      form: .json(.reference("Profile"), isRequired: true), most: ConsoleLimits.body,
      success: [
        .json(
          .open(.needed("number", number), .needed("token", .text)),
          "The token administers the account; it is told once", status: .created)
      ], problems: Operation.refusals, handler: make),
    Operation(
      method: .put, path: "/v1/accounts/{number}/suspension", scope: .administer,
      summary: "Suspends an account: its alarm goes on whole, and by its tokens and logins nothing"
        + " else is done",
      parameters: [which], success: [.nothing("It is suspended")], problems: [404, 409]
    ) { try await suspend($0, true) },
    Operation(
      method: .delete, path: "/v1/accounts/{number}/suspension", scope: .administer,
      summary: "Lets a suspended account go on", parameters: [which],
      success: [.nothing("It is not suspended")], problems: [404, 409]
    ) { try await suspend($0, false) },
    Operation(
      method: .get, path: "/v1/accounts/{number}/export", scope: .administer,
      summary: "All that an account has, as fob state import reads it, with the hash of its PIN",
      parameters: [which],
      success: [.json(.open(), "A document of which it is the first and only account")],
      problems: [404, 409], handler: export),
    Operation(
      method: .delete, path: "/v1/accounts/{number}", scope: .administer,
      summary: "Deletes an account with all that is its, the log as well; refused during an alarm",
      parameters: [which],
      form: .json(.closed(.needed("confirm", .choice(["delete"]))), isRequired: true),
      success: [.nothing("No file of the store has it any more")], problems: [404, 409, 423],
      handler: delete),
  ]

  private static let which = Operation.Parameter.path("number", number, "The account's number")

  private static let number = JSONSchema.integer(1...Int64(AccountNumber.last.rawValue))
  private static let row = JSONSchema.open(
    .needed("number", number), .needed("owner", .nullable(.text)), .needed("keychains", .count),
    .needed("isLoggedIn", .boolean), .needed("isSuspended", .boolean), .needed("state", .text))

  private struct Row: Encodable {
    let number: Int
    /// The owner's mail address, masked; nil where the account has none.
    let owner: String?
    /// How many belong to it.
    let keychains: Int
    let isLoggedIn: Bool
    let isSuspended: Bool
    let state: EmergencyState

    init(_ number: AccountNumber, _ core: any Core, isSuspended: Bool) {
      self.isSuspended = isSuspended
      let account = core.account
      self.number = number.rawValue
      owner = account.maskedEmail
      keychains = account.devices?.count ?? core.status.devices.count
      isLoggedIn = account.isActive
      state = core.status.state
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(number, forKey: .number)
      try values.encode(owner, forKey: .owner)
      try values.encode(keychains, forKey: .keychains)
      try values.encode(isLoggedIn, forKey: .isLoggedIn)
      try values.encode(isSuspended, forKey: .isSuspended)
      try values.encode(state, forKey: .state)
    }

    private enum Key: CodingKey {
      case number, owner, keychains, isLoggedIn, isSuspended, state
    }
  }

  private struct Made: Encodable {
    let number: Int
    let token: String
  }

  private static func list(_ call: Call) async throws -> Response {
    let accounts = try call.api.others()
    return Reply.json(
      accounts.numbers.compactMap { number in
        accounts.core(of: number).map {
          Row(number, $0, isSuspended: accounts.isSuspended(number))
        }
      })
  }

  private static func make(_ call: Call) async throws -> Response {
    let accounts = try call.api.others()
    let (profile, who): (AccountChange.Profile, String) = (try call.decode(), call.who)
    let tokens = call.api.authorizer.tokens
    let made = try await call.api.records.run(of: call.owner) {
      try tokens.revoke(ofAllBut: accounts.numbers)
      let number = try accounts.make(profile, by: who)
      let (_, text) = try tokens.create(name: "owner", scope: .administer, account: number)
      return Made(number: number.rawValue, token: text)
    }
    return Reply.json(made, status: .created)
  }

  private static func suspend(_ call: Call, _ isSuspended: Bool) async throws -> Response {
    let (accounts, number) = try further(call)
    try await call.api.records.run(of: call.owner) { try accounts.suspend(number, isSuspended) }
    return Reply.empty()
  }

  private static func export(_ call: Call) async throws -> Response {
    let accounts = try call.api.others()
    let number = try asked(call, of: accounts)
    let bytes = try await call.api.records.run(of: call.owner) {
      var bytes: [UInt8] = []
      try accounts.export(number) { piece in
        bytes += piece.utf8
        guard bytes.count <= ConsoleLimits.export else { throw Problem.exportTooLarge(number) }
      }
      return bytes
    }
    return Reply.file(bytes, "application/json", name: "account-\(number).json")
  }

  private static func delete(_ call: Call) async throws -> Response {
    let (accounts, number) = try further(call)
    let (tokens, sessions, who) = (call.api.authorizer.tokens, call.api.sessions, call.who)
    try await call.api.records.run(of: call.owner) {
      try accounts.delete(number, by: who)
      try tokens.revoke(of: number)
      _ = sessions.end(at: BootClock.now()) { $0.account == number.rawValue }
    }
    return Reply.empty()
  }

  /// The account in the path.
  private static func asked(
    _ call: Call, of accounts: any CoreAccounts
  ) throws(Problem) -> AccountNumber {
    guard let number = Int(call.parameter("number")).flatMap({ AccountNumber($0) }),
      accounts.core(of: number) != nil
    else { throw .unknownAccount }
    return number
  }

  /// The account in the path, which is not the first.
  private static func further(
    _ call: Call
  ) throws(Problem) -> (any CoreAccounts, AccountNumber) {
    let accounts = try call.api.others()
    let number = try asked(call, of: accounts)
    guard number != .first else {
      throw Problem(
        .conflict, "firstAccount",
        "the first account is the core's own: its owner erases it by DELETE /v1/account")
    }
    return (accounts, number)
  }
}

extension Account {
  /// The owner's mail address, masked; nil where there is none.
  var maskedEmail: String? { email.isEmpty ? nil : MaskedEmail.of(email) }
}

extension Problem {
  fileprivate static func exportTooLarge(_ number: AccountNumber) -> Problem {
    Problem(
      .conflict, "exportTooLarge",
      "the account has more than the API gives: fob state export --account \(number) writes it")
  }
}
