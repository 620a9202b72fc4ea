import FobBase
import SystemCrypto

/// Whom a receiver takes a message to be from.
struct DC09Place: Equatable, Sendable {
  /// 4 to 16 hexadecimal digits, in capitals as the others.
  let account: String
  /// 1 to 6 hexadecimal digits.
  let receiver: String
  /// 1 to 6 hexadecimal digits.
  let line: String

  /// - Throws: which of them is of another form.
  init(
    account: String, receiver: String = "0", line: String = "0"
  ) throws(ConfigurationFailure) {
    self.account = try Self.digits(account, 4...16, "account")
    self.receiver = try Self.digits(receiver, 1...6, "receiver")
    self.line = try Self.digits(line, 1...6, "line")
  }

  private static func digits(
    _ text: String, _ counts: ClosedRange<Int>, _ field: String
  ) throws(ConfigurationFailure) -> String {
    guard counts.contains(text.utf8.count), text.utf8.allSatisfy({ Hex.value(of: $0) != nil })
    else {
      throw ConfigurationFailure(
        field, "is not of \(counts.lowerBound) to \(counts.upperBound) hexadecimal digits")
    }
    return text.uppercased()
  }

  /// - Parameter secret: the key in hexadecimal digits.
  static func cipher(_ secret: SinkSecret) throws(ConfigurationFailure) -> ZeroIVCipher {
    guard let cipher = Hex.bytes(secret.text).flatMap(ZeroIVCipher.init(key:)) else {
      throw ConfigurationFailure(
        "secret",
        "is not of 32, 48 or 64 hexadecimal digits: `openssl rand -hex 32` makes a key")
    }
    return cipher
  }
}

/// What a receiver is told: an event, or that the line stands.
struct DC09Content: Equatable, Sendable {
  /// `SIA-DCS`, `ADM-CID` or `NULL`.
  let token: String
  /// What stands in the brackets.
  let data: String
  /// Further brackets, as in `[X000W00.090]`; empty where nothing more is known.
  var extended = ""

  /// A link test (5.5.2.1).
  static let linkTest = DC09Content(token: "NULL", data: "")
}

/// One message to a receiver, as ANSI/SIA DC-09-2013 has it in 5.5.1.
struct DC09Message: Equatable, Sendable {
  let place: DC09Place
  let content: DC09Content
  /// 1 to 9999.
  let sequence: Int

  /// So many random bytes of padding at least: as the initialization vector is zeros, the first
  /// block has to be one that was never there.
  private static let leastPadding = 16

  /// - Parameters:
  ///   - wall: the time it bears, µs since 1970.
  ///   - isShort: without what is not needed to understand it.
  ///   - cipher: nil: it goes in the open.
  ///   - random: gives so many random bytes.
  /// - Returns: the whole frame.
  func frame(
    at wall: Int64, isShort: Bool, by cipher: ZeroIVCipher?, random: (Int) -> [UInt8]
  ) -> [UInt8] {
    let star = cipher == nil ? "" : "*"
    let number = RFC3339.padded(Int32(clamping: sequence), 4)
    let head =
      "\"\(star)\(content.token)\"\(number)R\(place.receiver)L\(place.line)#\(place.account)["
    let text = "\(content.data)]\(isShort ? "" : content.extended)\(DC09Time.text(wall))"
    guard let cipher else { return DC09Frame.bytes(Array((head + text).utf8)) }
    let rest = Array("|\(text)".utf8)
    let block = ZeroIVCipher.blockSize
    let padding = Self.leastPadding + (block - rest.count % block) % block
    let sealed = cipher.encrypt(Self.padding(padding, random) + rest)
    let digits = sealed.flatMap { [Hex.capital($0 >> 4), Hex.capital($0 & 15)] }
    return DC09Frame.bytes(Array(head.utf8) + digits)
  }

  /// Any bytes but `|`, `[` and `]` (5.4.4.2); here those that stand for a character of ASCII,
  /// since receivers have been seen that read it as a text.
  private static func padding(_ count: Int, _ random: (Int) -> [UInt8]) -> [UInt8] {
    let allowed = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-".utf8)
    return random(count).map { allowed[Int($0) % allowed.count] }
  }
}
