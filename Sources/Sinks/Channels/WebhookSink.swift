public import AlertCore
import Crypto
import FobBase
import Foundation
import SerialIO

/// Posts each message as JSON to a receiver that verifies who sent it: `Fob-Signature` is
/// `v1=` and the HMAC-SHA256, in hexadecimal, of `Fob-Timestamp`, a full stop and the body
/// (RFC 2104). `Idempotency-Key` is stable over repeats.
public struct WebhookSink: Sink {
  public static let shortestSecret = 32

  public let name: String
  public let isTest: Bool
  public let width = 4
  private let address: HTTPAddress
  private let secret: Secret
  var http = HTTPClientShell()

  public init(
    name: String, address: HTTPAddress, secret: Secret, isTest: Bool = false
  ) throws(ConfigurationFailure) {
    guard secret.text.utf8.count >= Self.shortestSecret else {
      throw ConfigurationFailure(
        "secret",
        "is shorter than \(Self.shortestSecret) characters: `openssl rand -hex 32` makes one")
    }
    self.name = name
    self.address = address
    self.secret = secret
    self.isTest = isTest
  }

  public var channel: Contact? { Contact(id: "webhook:\(name)", name: "webhook \(name)") }

  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    let body = try JSONBody.bytes(message, for: name)
    let timestamp = "\(WallClock.now() / 1_000_000)"
    let headers = [
      ("Content-Type", "application/json"),
      ("Idempotency-Key", PercentEncoding.header(message.key)),
      ("Fob-Timestamp", timestamp),
      ("Fob-Signature", "v1=" + signature(of: body, at: timestamp)),
    ]
    try http.post(address.text, headers: headers, body: body, for: name).requireAcceptance()
  }

  private func signature(of body: [UInt8], at timestamp: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("\(timestamp).".utf8) + body, using: SymmetricKey(data: Data(secret.text.utf8)))
    return Hex.text(code)
  }
}
