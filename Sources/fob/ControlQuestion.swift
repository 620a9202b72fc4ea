import AlertCore
import Bridge
import Foundation

/// A request to a control socket: `press` with `hold_ms` 500 is `{"do":"press","hold_ms":500}`.
/// What the fields may hold is known to the process that is asked, and only there.
struct ControlQuestion {
  let request: String
  private var fields: [String: Any]

  /// - Parameter fields: numbers, texts and flags; what is nil is left out.
  init(_ request: String, _ fields: [String: Any?] = [:]) {
    self.request = request
    self.fields = fields.compactMapValues(\.self)
    self.fields["do"] = request
  }

  /// It goes to the bridge, and not to the keychain.
  var isOfBridge: Bool { BridgeControl.requests.contains(request) }

  /// It goes to one account of the bridge's.
  var isOfAccount: Bool { isOfBridge && !Self.ofProcess.contains(request) }

  /// What is asked of all accounts at once.
  private static let ofProcess = ["subscribe", "tap", "code"]

  /// The account that is named; nil: none is.
  var account: AccountNumber? { (fields["account"] as? Int).flatMap { AccountNumber($0) } }

  /// The same request, of an account.
  /// - Throws: `Failure` where a keychain is asked, which has none.
  func of(account: AccountNumber?) throws(Failure) -> ControlQuestion {
    guard let account else { return self }
    guard isOfBridge else {
      throw Failure(.usage, "\(request) is asked of a keychain: --account says nothing to it")
    }
    var other = self
    other.fields["account"] = account.rawValue
    return other
  }

  /// As it is sent, without the newline.
  func line() throws -> String {
    let data = try JSONSerialization.data(
      withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  /// The same request for the page behind `row`.
  func after(_ row: Int64) -> ControlQuestion {
    var next = self
    next.fields["after"] = row
    return next
  }
}
