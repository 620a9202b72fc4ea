import Foundation
import SystemCrypto

/// A message as RFC 5322 and MIME have it, with the line ends that the sendmail interface wants.
/// What people wrote is encoded, so that no text can make a header.
struct MailMessage: Sendable {
  let from: MailAddress
  let to: MailAddress
  let subject: String
  let body: String
  /// Repeats have the same `Message-ID`.
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

  /// Encoded words on lines of their own, of at most 76 bytes with the name (RFC 2047, 2).
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
