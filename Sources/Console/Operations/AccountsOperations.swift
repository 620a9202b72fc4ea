import AlertCore
import Hummingbird

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
  ]

  private static let number = JSONSchema.integer(1...Int64(AccountNumber.last.rawValue))
  private static let row = JSONSchema.open(
    .needed("number", number), .needed("owner", .nullable(.text)), .needed("keychains", .count),
    .needed("isLoggedIn", .boolean), .needed("state", .text))

  private struct Row: Encodable {
    let number: Int
    /// The owner's mail address, masked; nil where the account has none.
    let owner: String?
    /// How many belong to it.
    let keychains: Int
    let isLoggedIn: Bool
    let state: EmergencyState

    init(_ number: AccountNumber, _ core: any Core) {
      let account = core.account
      self.number = number.rawValue
      owner = account.email.isEmpty ? nil : MaskedEmail.of(account.email)
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
      try values.encode(state, forKey: .state)
    }

    private enum Key: CodingKey { case number, owner, keychains, isLoggedIn, state }
  }

  private struct Made: Encodable {
    let number: Int
    let token: String
  }

  private static func list(_ call: Call) async throws -> Response {
    let accounts = try call.api.others()
    return Reply.json(
      accounts.numbers.compactMap { number in
        accounts.core(of: number).map { Row(number, $0) }
      })
  }

  private static func make(_ call: Call) async throws -> Response {
    let accounts = try call.api.others()
    let (profile, who): (AccountChange.Profile, String) = (try call.decode(), call.who)
    let tokens = call.api.authorizer.tokens
    let made = try await call.api.records.run {
      let number = try accounts.make(profile, by: who)
      let (_, text) = try tokens.create(name: "owner", scope: .administer, account: number)
      return Made(number: number.rawValue, token: text)
    }
    return Reply.json(made, status: .created)
  }
}
