/// Sends a mail of the account itself, such as a new PIN or a confirmation (R6, R10).
public protocol Mailer: Sendable {
  /// - Parameter key: stable over repeats.
  /// - Throws: when the mail was not taken; never with the address, subject or body.
  func mail(to: String, subject: String, body: String, key: String) throws(SinkFailure)
}
