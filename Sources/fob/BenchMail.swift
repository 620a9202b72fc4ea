import AlertCore
import Bridge
import Sinks

/// The post of a bench that is one process: nothing of it leaves this host.
enum BenchMail {
  /// - Returns: what puts each mail into mails.jsonl of the folder, and says so.
  static func keep(in folder: String, _ timeline: Timeline) throws -> AlertBridge.Mail {
    let path = folder + "/mails.jsonl"
    let file = try MailFile(path: path)
    return { to, subject, body, key in
      try file.mail(to: to, subject: subject, body: body, key: key)
      timeline.say("mail", "a mail to \(MaskedEmail.of(to)): \(path)")
    }
  }
}
