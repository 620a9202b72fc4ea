public import AlertCore
import FobBase
import Foundation
import SerialIO
import SystemCrypto

/// Posts each message as JSON to a receiver that verifies who sent it: `Fob-Signature-2` is `v2=`
/// and the HMAC-SHA256 (RFC 2104), in hexadecimal, of four lines: `v2`, `Fob-Timestamp`,
/// `Idempotency-Key` and the body. No header has a line feed, so each ends where it does.
/// `Idempotency-Key` is stable over repeats.
///
/// `Fob-Signature` is for receivers of earlier days: `v1=` and that of timestamp, full stop and
/// body. It says nothing of the key.
public struct WebhookSink: Sink {
  public static let minSecretSize = 32

  public let name: String
  public let isTest: Bool
  public let width = 4
  private let address: HTTPAddress
  private let secret: SinkSecret
  var http = HTTPClientShell()

  public init(
    name: String, address: HTTPAddress, secret: SinkSecret, isTest: Bool = false
  ) throws(ConfigurationFailure) {
    guard secret.text.utf8.count >= Self.minSecretSize else {
      throw ConfigurationFailure(
        "secret",
        "is shorter than \(Self.minSecretSize) characters: `openssl rand -hex 32` makes one")
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
    let key = PercentEncoding.header(message.key)
    let headers = [
      ("Content-Type", "application/json"),
      ("Idempotency-Key", key),
      ("Fob-Timestamp", timestamp),
      ("Fob-Signature", "v1=" + signature(of: "\(timestamp).", body)),
      ("Fob-Signature-2", "v2=" + signature(of: "v2\n\(timestamp)\n\(key)\n", body)),
    ]
    try http.post(address.text, headers: headers, body: body, for: name).requireAcceptance()
  }

  private func signature(of head: String, _ body: [UInt8]) -> String {
    Hex.text(Digests.hmac(Array(head.utf8) + body, key: Array(secret.text.utf8)))
  }
}
