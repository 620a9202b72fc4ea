public import AlertCore
import Foundation

/// Text messages through a provider with Twilio's API
/// (https://www.twilio.com/docs/messaging/api/message-resource, "Create a Message"): a form with
/// `To`, `Body` and `From` or `MessagingServiceSid`, answered by 201 and the message's `sid`.
public struct SMSSink: Sink {
  /// The most segments of one text. The provider takes 1600 characters; a longer text is shortened.
  public static let maxSegments = 10
  /// The base address when the configuration has no `url`.
  public static let provider = "https://api.twilio.com"

  /// Who the message is from.
  public enum Sender: Equatable, Sendable {
    /// A number (E.164), or a name that the provider allows.
    case from(String)
    /// A messaging service, `MG…`: the provider chooses the number.
    case service(String)
  }

  /// The configured name, `sms` by default.
  public let name: String
  /// The provider is a stand-in on this host and was declared a test.
  public let isTest: Bool
  /// Four messages at one time.
  public let width = 4
  private let base: HTTPAddress
  private let account: String
  private let token: SinkSecret
  private let sender: Sender
  var http = HTTPClientShell()

  /// Throws if `account` is no SID or `token` is empty.
  public init(
    name: String, base: HTTPAddress, account: String, token: SinkSecret, sender: Sender,
    isTest: Bool = false
  ) throws(ConfigurationFailure) {
    guard !account.isEmpty, account.utf8.allSatisfy(PercentEncoding.isNameByte) else {
      throw ConfigurationFailure("account", "is no account SID: copy it from the provider (AC…)")
    }
    guard !token.text.isEmpty else {
      throw ConfigurationFailure("secret", "is empty: give the provider's auth token")
    }
    self.name = name
    self.base = base
    self.account = account
    self.token = token
    self.sender = sender
    self.isTest = isTest
  }

  /// A contact needs a chosen number in E.164 form.
  public func obstacle(to contact: Contact) -> String? {
    guard let number = contact.number else { return "has no number that is chosen" }
    return Self.isNumber(number) ? nil : "has a number that is not as +15555550100"
  }

  /// Whether it is an E.164 number: a plus and 2 to 15 digits, the first not 0.
  public static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == 0x2B && (2...15).contains(digits.count) && digits.first != 0x30
      && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Posts once and waits, 10 s at most; throws unless the answer is a 201 with a `sid`. A long
  /// text is shortened.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    var fields = [("To", message.contact.number ?? ""), ("Body", Self.body(of: message).text)]
    switch sender {
    case .from(let number): fields.append(("From", number))
    case .service(let service): fields.append(("MessagingServiceSid", service))
    }
    let credentials = Data("\(account):\(token.text)".utf8).base64EncodedString()
    let headers = [
      ("Content-Type", "application/x-www-form-urlencoded"),
      ("Authorization", "Basic \(credentials)"), ("Accept", "application/json"),
    ]
    let path = "/2010-04-01/Accounts/\(PercentEncoding.pathPart(account))/Messages.json"
    let answer = try http.post(
      base.appending(path), headers: headers, body: PercentEncoding.form(fields), for: name)
    guard answer.status == 201 else {
      // The provider's words quote the number, so only its code is told:
      // twilio.com/docs/api/errors.
      throw answer.refusal(answer.decoded(Problem.self).map { ", error \($0.code)" } ?? "")
    }
    guard let made = answer.decoded(Made.self), !made.sid.isEmpty else {
      throw SinkFailure(sink: name, reason: "\(answer.host) answered 201 without a sid")
    }
  }

  /// Shortens a long text in front of the map or the link to acknowledge, which stay whole.
  static func body(of message: OutgoingMessage) -> SMSText {
    let text = message.text
    let map = message.position.flatMap { _ in
      text.range(of: " geo:", options: .backwards)
        .flatMap { text[..<$0.lowerBound].range(of: ". ", options: .backwards) }
    }
    let acknowledge = message.acknowledgeURL.flatMap { text.range(of: $0, options: .backwards) }
    return SMSText(
      text, keepingFrom: map?.upperBound ?? acknowledge?.lowerBound, limit: maxSegments)
  }

  private struct Made: Decodable { let sid: String }
  private struct Problem: Decodable { let code: Int }
}
