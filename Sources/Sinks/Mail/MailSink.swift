public import AlertCore
import SerialIO

/// Hands each message to the system's mailer by the sendmail interface: the mail on standard input,
/// exit status 0 when the mailer has taken it. Postfix, Exim and msmtp have it.
public struct MailSink: Sink, Mailer {
  public static let command = ["/usr/sbin/sendmail", "-i", "-t"]

  public let name: String
  public let isTest: Bool
  public let width = 2
  private let from: MailAddress
  var program: Subprocess

  /// - Parameter command: a path and its arguments, such as `/usr/bin/msmtp -i -t`.
  public init(
    name: String, from: String, command: [String] = MailSink.command, isTest: Bool = false
  ) throws(ConfigurationFailure) {
    guard let from = MailAddress(from) else {
      throw ConfigurationFailure("from", "is no mailbox: write it as alarm@example.org")
    }
    guard let path = command.first, path.hasPrefix("/") else {
      throw ConfigurationFailure(
        "command", "has no absolute path in front: write it as [/usr/sbin/sendmail, -i, -t]")
    }
    self.name = name
    self.from = from
    self.isTest = isTest
    program = Subprocess(path: path, arguments: Array(command.dropFirst()))
  }

  public func obstacle(to contact: Contact) -> String? {
    guard let email = contact.email else { return "has no mailbox" }
    return MailAddress(email) == nil ? "has a mailbox that is not as name@example.org" : nil
  }

  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    try mail(
      to: message.contact.email ?? "", subject: message.headline, body: message.text,
      key: message.key)
  }

  public func mail(
    to: String, subject: String, body: String, key: String
  ) throws(SinkFailure) {
    guard let to = MailAddress(to) else {
      throw SinkFailure(sink: name, reason: "the mailbox is not as name@example.org")
    }
    let mail = MailMessage(
      from: from, to: to, subject: subject, body: body, key: key, wall: WallClock.now())
    let end: Subprocess.End
    do throws(IOFailure) {
      end = try program.run(input: mail.bytes)
    } catch {
      throw SinkFailure(sink: name, reason: "\(error)")
    }
    guard end == .exited(0) else {
      throw SinkFailure(sink: name, reason: "\(program.path) \(end)")
    }
  }
}
