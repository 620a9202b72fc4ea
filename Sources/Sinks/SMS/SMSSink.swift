public import AlertCore
import Foundation

/// Text messages through a provider with Twilio's API
/// (https://www.twilio.com/docs/messaging/api/message-resource, "Create a Message"): a form with
/// `To`, `Body` and `From` or `MessagingServiceSid`, answered by 201 and the message's `sid`.
public struct SMSSink: Sink {
  /// The provider takes 1600 characters; a text is shortened before it is refused.
  public static let maxSegments = 10
  public static let provider = "https://api.twilio.com"

  public enum Sender: Equatable, Sendable {
    /// A number (E.164) or a name that the provider has agreed to.
    case from(String)
    /// `MG…`: the provider chooses the number.
    case service(String)
  }

  public let name: String
  public let isTest: Bool
  public let width = 4
  private let base: HTTPAddress
  private let account: String
  private let token: SinkSecret
  private let sender: Sender
  var http = HTTPClientShell()

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

  public func obstacle(to contact: Contact) -> String? {
    guard let number = contact.number else { return "has no number that is chosen" }
    return Self.isNumber(number) ? nil : "has a number that is not as +15555550100"
  }

  /// E.164: a plus and at most 15 digits, the first not 0.
  public static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == 0x2B && (2...15).contains(digits.count) && digits.first != 0x30
      && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

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
      // The provider's words quote the number; its code is looked up at twilio.com/docs/api/errors.
      throw answer.refusal(answer.decoded(Problem.self).map { ", error \($0.code)" } ?? "")
    }
    guard let made = answer.decoded(Made.self), !made.sid.isEmpty else {
      throw SinkFailure(sink: name, reason: "\(answer.host) answered 201 without a sid")
    }
  }

  /// From the map or the link to acknowledge on, nothing is taken out of a long text.
  static func body(of message: OutgoingMessage) -> SMSText {
    let text = message.text
    let map = text.range(of: "Map: geo:", options: .backwards)
    let acknowledge = message.acknowledgeURL.flatMap { text.range(of: $0, options: .backwards) }
    return SMSText(
      text, keepingFrom: map?.lowerBound ?? acknowledge?.lowerBound, limit: maxSegments)
  }

  private struct Made: Decodable { let sid: String }
  private struct Problem: Decodable { let code: Int }
}
