public import SerialIO

/// A mailer for benches: appends the account's mails to a file as lines of JSON, and sends nothing.
public struct MailFile: Mailer {
  private let file: JSONLinesFile

  private struct Mail: Encodable {
    let to: String
    let subject: String
    let body: String
    let key: String
    /// µs since 1970.
    let wall: Int64
  }

  /// - Parameter path: appended to; its owner alone reads it, since it has PINs in it.
  public init(path: String) throws(IOFailure) { file = try JSONLinesFile(path: path) }

  /// Appends one line with the mail and the wall clock's time; throws if the line does not fit.
  public func mail(
    to: String, subject: String, body: String, key: String
  ) throws(SinkFailure) {
    try file.append(
      Mail(to: to, subject: subject, body: body, key: key, wall: WallClock.now()), by: "mail file")
  }
}

/// Sends a mail of the account itself, such as a new PIN or a confirmation (R6, R10).
public protocol Mailer: Sendable {
  /// Hands a mail to the mail system; `key` stays the same when the mail is repeated.
  /// - Throws: when the mail was not taken; never with the address, subject or body.
  func mail(to: String, subject: String, body: String, key: String) throws(SinkFailure)
}
