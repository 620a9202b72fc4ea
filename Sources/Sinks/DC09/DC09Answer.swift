import FobBase
import SystemCrypto

/// What a receiver says to a message (ANSI/SIA DC-09-2013, 5.5.3).
struct DC09Answer: Equatable, Sendable {
  enum Word: String, CaseIterable, Sendable {
    /// It has the message.
    case ack = "ACK"
    /// It has not, since the message's time is not its own.
    case nak = "NAK"
    /// It has not, since it cannot make anything of it.
    case duh = "DUH"
  }

  let word: Word
  /// Of the message that it answers; 0 of a NAK.
  let sequence: Int
  /// In capital digits; empty where it names none.
  let account: String
  let isEncrypted: Bool
  /// The receiver's time, µs since 1970; nil where it gives none.
  let wall: Int64?
}

extension DC09Answer {
  /// - Parameters:
  ///   - frame: what stands between LF and CR.
  ///   - cipher: reads what is encrypted; nil: nothing can be.
  /// - Throws: why it is no answer.
  init(_ frame: [UInt8], by cipher: ZeroIVCipher?) throws(DC09Flaw) {
    var rest = try DC09Frame.body(of: frame)[...]
    let quote = UInt8(ascii: "\"")
    guard rest.popFirst() == quote, let end = rest.firstIndex(of: quote) else { throw .form }
    var token = rest[..<end]
    rest = rest[(end + 1)...]
    isEncrypted = token.first == UInt8(ascii: "*")
    if isEncrypted { token.removeFirst() }
    guard let word = Word(rawValue: String(decoding: token, as: UTF8.self)) else { throw .form }
    self.word = word
    let number = rest.prefix(4)
    guard number.count == 4, number.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .form
    }
    sequence = number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    rest = rest.dropFirst(4)
    guard let open = rest.firstIndex(of: UInt8(ascii: "[")) else { throw .form }
    // Without it there is no account: a NAK has `A0`.
    let mark = rest[..<open].lastIndex(of: UInt8(ascii: "#"))
    account = mark.map { String(decoding: rest[($0 + 1)..<open], as: UTF8.self).uppercased() } ?? ""
    let data = rest[(open + 1)...]
    wall = isEncrypted ? try Self.wall(sealed: data, cipher) : try Self.wall(data)
  }

  /// - Parameter frame: what a reader has cut.
  static func read(
    _ frame: Result<[UInt8], DC09Flaw>, by cipher: ZeroIVCipher?
  ) -> Result<DC09Answer, DC09Flaw> {
    do throws(DC09Flaw) {
      return .success(try DC09Answer(try frame.get(), by: cipher))
    } catch {
      return .failure(error)
    }
  }

  /// Of what follows the bracket that opens the data.
  private static func wall(_ data: ArraySlice<UInt8>) throws(DC09Flaw) -> Int64? {
    guard data.contains(UInt8(ascii: "]")) else { throw .form }
    return DC09Time.wall(data.suffix(DC09Time.size))
  }

  /// The closing bracket and the time behind it show that the key is right: padding has neither.
  private static func wall(
    sealed: ArraySlice<UInt8>, _ cipher: ZeroIVCipher?
  ) throws(DC09Flaw) -> Int64 {
    guard let bytes = Hex.bytes(String(decoding: sealed, as: UTF8.self)) else { throw .form }
    guard let text = cipher?.decrypt(bytes), text.count > DC09Time.size,
      let wall = DC09Time.wall(text.suffix(DC09Time.size)),
      text[text.count - DC09Time.size - 1] == UInt8(ascii: "]")
    else { throw .key }
    return wall
  }
}
