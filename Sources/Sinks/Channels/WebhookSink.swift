public import AlertCore
import FobBase
import Foundation
import SerialIO
import SystemCrypto

/// Posts each message as JSON, or as CAP, to a receiver that can verify the sender.
/// `Fob-Signature-2` is `v2=` and the HMAC-SHA256 (RFC 2104), in hexadecimal, of four lines: `v2`,
/// `Fob-Timestamp`, `Idempotency-Key` and the body. No header contains a line feed, so the lines
/// are unambiguous. `Idempotency-Key` is stable over repeats.
///
/// `Fob-Signature` is for older receivers: `v1=` and the HMAC of timestamp, full stop and body. It
/// does not cover the key.
public struct WebhookSink: Sink {
  /// The shortest secret, in bytes of UTF-8.
  public static let minSecretSize = 32

  /// What the body is.
  public enum Format: String, CaseIterable, Sendable {
    /// Each field of ``OutgoingMessage`` that has a JSON form.
    case json
    /// An alert of the Common Alerting Protocol 1.2, in XML.
    case cap

    fileprivate var mediaType: String { self == .cap ? CAPAlert.mediaType : "application/json" }
  }

  /// The configured name, `webhook` by default.
  public let name: String
  /// The receiver is on this host and was declared a test.
  public let isTest: Bool
  /// Four messages at one time.
  public let width = 4
  private let address: HTTPAddress
  private let secret: SinkSecret
  private let format: Format
  var http = HTTPClientShell()

  /// Throws if `secret` is shorter than ``minSecretSize``.
  public init(
    name: String, address: HTTPAddress, secret: SinkSecret, format: Format = .json,
    isTest: Bool = false
  ) throws(ConfigurationFailure) {
    guard secret.text.utf8.count >= Self.minSecretSize else {
      throw ConfigurationFailure(
        "secret",
        "is shorter than \(Self.minSecretSize) characters: `openssl rand -hex 32` makes one")
    }
    self.name = name
    self.address = address
    self.secret = secret
    self.format = format
    self.isTest = isTest
  }

  /// The receiver as a contact of its own.
  public var channel: Contact? { Contact(id: "webhook:\(name)", name: "webhook \(name)") }

  /// Only the receiver itself can be told.
  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

  /// Posts once and waits, 10 s at most; throws unless the answer is a 2xx.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    let body = try body(of: message)
    let timestamp = "\(WallClock.now() / 1_000_000)"
    let key = PercentEncoding.header(message.key)
    let headers = [
      ("Content-Type", format.mediaType),
      ("Idempotency-Key", key),
      ("Fob-Timestamp", timestamp),
      ("Fob-Signature", "v1=" + signature(of: "\(timestamp).", body)),
      ("Fob-Signature-2", "v2=" + signature(of: "v2\n\(timestamp)\n\(key)\n", body)),
    ]
    try http.post(address.text, headers: headers, body: body, for: name).requireAcceptance()
  }

  private func body(of message: OutgoingMessage) throws(SinkFailure) -> [UInt8] {
    switch format {
    case .json: try JSONBody.bytes(message, for: name)
    case .cap: Array(CAPAlert(message).xml.utf8)
    }
  }

  private func signature(of head: String, _ body: [UInt8]) -> String {
    Hex.text(Digests.hmac(Array(head.utf8) + body, key: Array(secret.text.utf8)))
  }
}
