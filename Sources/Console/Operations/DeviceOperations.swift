import AlertCore
import FobBase
import Hummingbird

/// Keychains and their owners (R3, R4, R11, R21).
enum DeviceOperations {
  private static let id = Operation.Parameter.path("id", .device, "The keychain")

  static let all = [
    Operation(
      method: .get, path: "/v1/devices", scope: .observe,
      summary: "The account's keychains; of the first account those, too, that are linked and that"
        + " nobody has claimed",
      success: [.json(.array(.reference("Device"), limit: 1_024), "By their ids")],
      handler: { Reply.json($0.core.status.devices) }),
    Operation(
      method: .get, path: "/v1/devices/{id}/claim", scope: .observe,
      summary: "Whose a keychain is", parameters: [id],
      success: [
        .json(
          .open(
            .needed("device", .device), .needed("owner", .nullable(.text)),
            .optional("account", .integer(1...Int64(AccountNumber.last.rawValue)))),
          "The owner's mail address, masked; null where anybody may claim it. For the core's token"
            + " the account's number, where it is one beside the first")
      ], handler: owner),
    Operation(
      method: .put, path: "/v1/devices/{id}/claim", scope: .administer,
      summary: "Takes a keychain into the account", parameters: [id],
      form: .json(
        .closed(.optional("email", .text), .optional("pin", .pin)), isRequired: false),
      success: [.json(.reference("Done"), "It is the account's")], problems: Operation.refusals,
      handler: claim),
    Operation(
      method: .delete, path: "/v1/devices/{id}/claim", scope: .administer,
      summary: "Lets go of a keychain: anybody may claim it", parameters: [id],
      form: .json(.closed(.optional("pin", .pin)), isRequired: false),
      success: [.json(.reference("Done"), "It is unclaimed")], problems: Operation.refusals,
      handler: disconnect),
  ]

  private struct Owner: Encodable {
    let device: String
    let owner: String?
    var account: Int?

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(device, forKey: .device)
      try values.encode(owner, forKey: .owner)
      try values.encodeIfPresent(account, forKey: .account)
    }

    private enum Key: CodingKey { case device, owner, account }
  }

  private static func owner(_ call: Call) async throws -> Response {
    let id = call.parameter("id")
    if call.caller?.account == nil, let other = other(with: id, call.api) {
      return Reply.json(other)
    }
    guard call.core.status.devices.contains(where: { $0.device == id }) else {
      throw Problem(UserCommand.Refusal.unknownDevice)
    }
    // Also while nobody is logged in: then its presses are unclaimed, but nobody else may claim it.
    let account = call.core.account
    let isClaimed = account.exists && account.devices?.contains(id) ?? true
    return Reply.json(
      Owner(device: id, owner: isClaimed ? MaskedEmail.of(account.email) : nil))
  }

  /// The account beside the first that has a keychain.
  private static func other(with id: String, _ api: API) -> Owner? {
    guard let accounts = try? api.others(), case let number = accounts.account(withKeychain: id),
      number != .first, let account = accounts.core(of: number)?.account
    else { return nil }
    return Owner(device: id, owner: account.maskedEmail, account: number.rawValue)
  }

  private struct Claim: Decodable {
    let email: String?
    let pin: String?
  }

  private static func claim(_ call: Call) async throws -> Response {
    let device = try device(of: call)
    let asked: Claim = try call.decode()
    return Reply.json(
      Done(try await call.change(.claim(device, email: asked.email), pin: asked.pin)))
  }

  private static func disconnect(_ call: Call) async throws -> Response {
    let asked: Claim = try call.decode()
    return Reply.json(
      Done(try await call.change(.disconnect(try device(of: call)), pin: asked.pin)))
  }

  private static func device(of call: Call) throws(Problem) -> DeviceID {
    guard let device = DeviceID(text: call.parameter("id")) else { throw .notFound }
    return device
  }
}
