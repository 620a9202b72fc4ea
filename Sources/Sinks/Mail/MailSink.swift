public import AlertCore
import CLinux
import FobBase
import Foundation
import Glibc
import SerialIO
import SystemCrypto

/// Hands each message to the system's mailer by the sendmail interface: the mail is standard input,
/// and exit status 0 says that the mailer has taken it. Postfix, Exim and msmtp have it.
public struct MailSink: Sink, Mailer {
  /// The usual mailer: a path and its arguments.
  public static let command = ["/usr/sbin/sendmail", "-i", "-t"]

  /// The configured name, `mail` by default.
  public let name: String
  /// The channel was declared a test.
  public let isTest: Bool
  /// Two messages at one time.
  public let width = 2
  private let from: MailAddress
  var program: Subprocess

  /// - Parameters:
  ///   - name: the configured name, for errors and the log.
  ///   - from: the sender's mailbox, as in "alarm@example.org".
  ///   - command: an absolute path and arguments, such as `/usr/bin/msmtp -i -t`.
  ///   - isTest: whether the channel was declared a test.
  /// - Throws: if `from` is no mailbox or `command` has no absolute path.
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

  /// A contact needs a mailbox that a header can hold.
  public func obstacle(to contact: Contact) -> String? {
    guard let email = contact.email else { return "has no mailbox" }
    return MailAddress(email) == nil ? "has a mailbox that is not as name@example.org" : nil
  }

  /// Sends the message as a mail; throws as `mail` does.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    try mail(
      to: message.contact.email ?? "", subject: message.headline, body: message.text,
      key: message.key)
  }

  /// Runs the mailer, 30 s at most, and waits; throws unless it ends with status 0.
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

/// A message by RFC 5322 and MIME, with LF line ends for the sendmail interface. Texts of people
/// are encoded, so that none can become a header.
struct MailMessage: Sendable {
  let from: MailAddress
  let to: MailAddress
  let subject: String
  let body: String
  /// Repeats have the same key, and so the same `Message-ID`.
  let key: String
  /// µs since 1970.
  let wall: Int64

  var bytes: [UInt8] {
    let id = Hex.text(Digests.sha256(Array(key.utf8)).prefix(16))
    let headers = [
      "From: \(from.text)", "To: \(to.text)", "Subject: \(Self.encoded(subject))",
      "Date: \(Self.date(wall))", "Message-ID: <\(id)@\(from.domain)>",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
    ]
    let lines = Data((body + "\n").utf8).base64EncodedString(
      options: [.lineLength76Characters, .endLineWithLineFeed])
    return Array("\(headers.joined(separator: "\n"))\n\n\(lines)\n".utf8)
  }

  /// Encoded words on their own lines, of at most 76 bytes with the header's name (RFC 2047, 2).
  static func encoded(_ text: String) -> String {
    let isPlain = text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    if isPlain, !text.contains("=?") { return text }
    var chunks: [String] = [""]
    for scalar in text.unicodeScalars {
      if chunks[chunks.count - 1].utf8.count + UTF8.width(scalar) > 39 { chunks.append("") }
      chunks[chunks.count - 1].unicodeScalars.append(scalar)
    }
    return chunks.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
      .joined(separator: "\n ")
  }

  /// In UTC (RFC 5322, 3.3).
  static func date(_ wall: Int64) -> String {
    let time = RFC3339.broken(Int(max(0, wall / 1_000_000)))
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let day = "\(days[Int(time.tm_wday)]), \(time.tm_mday) \(months[Int(time.tm_mon)])"
    let clock = [time.tm_hour, time.tm_min, time.tm_sec].map { RFC3339.padded($0) }
    return "\(day) \(time.tm_year + 1_900) \(clock.joined(separator: ":")) +0000"
  }
}

/// A mailbox that is safe in a header: one `@`, visible ASCII, a `dot-atom` on each side (RFC 5322,
/// 3.2.3). Quoted and international mailboxes are refused.
public struct MailAddress: Equatable, Sendable {
  /// The whole mailbox, as in "name@example.org".
  public let text: String

  /// Nil if it is longer than 254 bytes, its name is longer than 64, or a part is no `dot-atom`.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count),
      Self.isAtoms(parts[0], beside: "!#$%&'*+/=?^_`{|}~-"), Self.isAtoms(parts[1], beside: "-")
    else { return nil }
    self.text = text
  }

  var domain: String { String(text.split(separator: "@")[1]) }

  private static func isAtoms(_ text: Substring, beside others: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      // The mailer would take a leading dash for an option.
      !atom.isEmpty && atom.utf8.first != 0x2D
        && atom.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || others.utf8.contains(byte)
        }
    }
  }
}

/// A program that reads its input from an unnamed file. If it takes too long, it is killed with its
/// children. Its output is discarded, since it may quote the input.
struct Subprocess: Sendable {
  enum End: Equatable, CustomStringConvertible {
    case exited(Int32)
    case killed(Int32)
    case tookTooLong(Interval)

    /// Explains statuses of sysexits.h.
    var description: String {
      switch self {
      case .exited(let status): "ended with status \(status)" + End.meaning(of: status)
      case .killed(let signal): "was ended by signal \(signal)"
      case .tookTooLong(let patience):
        "did not end within \(patience.microseconds / 1_000) ms and was killed"
      }
    }

    private static func meaning(of status: Int32) -> String {
      switch status {
      case 64: ": it was called with arguments that it does not know"
      case 65, 67: ": it refuses the address"
      case 68, 69: ": its mail server cannot be reached"
      case 75: ": it cannot send now, and may later"
      case 77: ": its mail server refuses its password"
      case 78: ": its configuration is wrong"
      case 127: ": it could not be started"
      default: ""
      }
    }
  }

  let path: String
  let arguments: [String]
  var patience = Interval.seconds(30)

  func run(input: [UInt8]) throws(IOFailure) -> End {
    let file = try unnamedFile(input)
    let child = try ChildProgram([path] + arguments, .init(input: file.number))
    switch try child.awaitEnd(until: BootClock.now() + patience) {
    case .exited(let status): return .exited(status)
    case .killed(let signal): return .killed(signal)
    case nil:
      child.kill()
      _ = try child.awaitEnd()
      return .tookTooLong(patience)
    }
  }

  /// The file is in memory: nothing stays on a disk, and a program that does not read it blocks
  /// nobody.
  private func unnamedFile(_ bytes: [UInt8]) throws(IOFailure) -> OwnedDescriptor {
    let number = try Syscall.run("create", "a file in memory") { clinux_memory_file() }
    let file = OwnedDescriptor(owning: number, path: "a file in memory")
    var at = 0
    while at < bytes.count {
      at += try Syscall.run("write", file.path) {
        bytes.withUnsafeBytes { write(number, $0.baseAddress! + at, $0.count - at) }
      }
    }
    _ = try Syscall.run("rewind", file.path) { lseek(number, 0, SEEK_SET) }
    return file
  }
}
