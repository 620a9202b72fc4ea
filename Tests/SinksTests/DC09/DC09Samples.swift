import FobBase
import Foundation
import SystemCrypto

@testable import AlertCore
@testable import Sinks

extension DC09Place {
  static let sample = try! DC09Place(account: "12ab")
}

extension DC09Content {
  static let press = DC09Content(
    token: "SIA-DCS", data: "#12AB|Nri1/PA001", extended: "[X000W00.090][Y51N28.668]")
}

extension ZeroIVCipher {
  static let sample = ZeroIVCipher(key: Array("0123456789ABCDEF".utf8))!
}

/// Answers as a receiver makes them: by no code of the sink but the envelope's.
struct SampleAnswer {
  var word = "ACK"
  var sequence = 1
  var account = "12AB"
  /// As in `_10:11:12,01-15-2026`; empty: none.
  var time = ""
  var cipher: ZeroIVCipher?

  var bytes: [UInt8] {
    let number = String(format: "%04d", sequence)
    let head = "\"\(cipher == nil ? "" : "*")\(word)\"\(number)R0L0#\(account)["
    guard let cipher else { return DC09Frame.bytes(Array("\(head)]\(time)".utf8)) }
    let rest = "]\(time)"
    let padding = String(repeating: "0", count: 16 + (32 - rest.utf8.count) % 16)
    let sealed = Hex.text(cipher.encrypt(Array((padding + rest).utf8))).uppercased()
    return DC09Frame.bytes(Array((head + sealed).utf8))
  }

  /// A NAK as ANSI/SIA DC-09-2013 has it.
  static func refusal(_ time: String) -> [UInt8] {
    DC09Frame.bytes(Array("\"NAK\"0000R0L0A0[]\(time)".utf8))
  }

  /// As in `_10:11:12,01-15-2026`, by Foundation.
  static func time(_ wall: Int64) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "'_'HH:mm:ss,MM-dd-yyyy"
    return format.string(from: Date(timeIntervalSince1970: Double(wall / 1_000_000)))
  }
}
