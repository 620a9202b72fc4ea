public import AlertCore
import Foundation
import SerialIO
import SystemCrypto

/// Links that carry their own permission: their subject, and an HMAC-SHA256 of it.
public struct Links: Sendable {
  private let key: [UInt8]
  /// What was wrong with the key's file and what follows, for the operator; nil if nothing was.
  public private(set) var damage: String?

  struct Acknowledgement: Equatable, Sendable {
    let account: AccountNumber
    let incident: IncidentID
    let contact: ContactID
  }

  /// - Parameter key: 32 random bytes that outlive a restart.
  public init(key: [UInt8]) { self.key = key }

  /// Uses the folder's own key, `ack-key`, and makes it if it is missing or damaged; a damaged file
  /// is set aside. Throws `IOFailure`.
  public init(folder: String) throws {
    let path = folder + "/ack-key"
    if let text = try? String(contentsOfFile: path, encoding: .utf8),
      let key = Secret.bytes(base64URL: text), key.count == 32
    {
      self.init(key: key)
    } else {
      var damage: String?
      if FileManager.default.fileExists(atPath: path) {
        let aside = try PrivateFile.setAside(path)
        damage =
          "\(path) held no key; it is set aside as \(aside): links in messages that were sent"
          + " before lead nowhere"
      }
      let text = Secret.random()
      try PrivateFile.write(Array(text.utf8), to: path)
      self.init(key: Secret.bytes(base64URL: text) ?? [])
      self.damage = damage
    }
  }

  /// The last part of a contact's link, as in /ack/TOKEN.
  public func acknowledgement(
    of incident: IncidentID, by contact: ContactID, in account: AccountNumber
  ) -> String {
    let subject = "\(incident)|\(contact)"
    return signed(account == .first ? "ack|\(subject)" : "ack-in|\(account)|\(subject)")
  }

  /// - Returns: nil if the signature is not from this key.
  func acknowledgement(_ token: String) -> Acknowledgement? {
    guard let text = text(of: token) else { return nil }
    // Links of the first account are as they were before there were others.
    let isFirst = text.hasPrefix("ack|")
    let parts = text.split(
      separator: "|", maxSplits: isFirst ? 2 : 3, omittingEmptySubsequences: false)
    guard isFirst || parts.first == "ack-in", parts.count == (isFirst ? 3 : 4),
      let account = isFirst ? .first : Int(parts[1]).flatMap({ AccountNumber($0) }),
      let incident = IncidentID(String(parts[parts.count - 2]))
    else { return nil }
    return Acknowledgement(
      account: account, incident: incident, contact: String(parts[parts.count - 1]))
  }

  func confirmation(of email: String) -> String {
    Secret.base64URL(code("confirm|\(email.lowercased())"))
  }

  func isConfirmation(_ token: String, of email: String) -> Bool {
    guard let tried = Secret.bytes(base64URL: token) else { return false }
    return Digests.isSame(tried, code("confirm|\(email.lowercased())"))
  }

  private func signed(_ text: String) -> String {
    "\(Secret.base64URL(text.utf8)).\(Secret.base64URL(code(text)))"
  }

  private func text(of token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let text = Secret.bytes(base64URL: parts[0]),
      let tried = Secret.bytes(base64URL: parts[1])
    else { return nil }
    let plain = String(decoding: text, as: UTF8.self)
    return Digests.isSame(tried, code(plain)) ? plain : nil
  }

  private func code(_ text: String) -> [UInt8] {
    Digests.hmac(Array(text.utf8), key: key)
  }
}
