import FobBase

/// The envelope of ANSI/SIA DC-09-2013, 5.5.1: LF, a CRC and a length of four hexadecimal digits
/// each, the body, CR.
enum DC09Frame {
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  /// No longer answer is taken, in bytes between LF and CR. An ACK has at most 200.
  static let longestAnswer = 1_024

  /// - Parameter body: at most 4,095 bytes, which is what the length can say.
  static func bytes(_ body: [UInt8]) -> [UInt8] {
    let head = digits(crc(body)) + digits(UInt16(body.count & 0xFFF))
    return [lineFeed] + head + body + [carriageReturn]
  }

  /// - Parameter frame: what stands between LF and CR.
  /// - Throws: what its CRC, its length or its form is not.
  static func body(of frame: [UInt8]) throws(DC09Flaw) -> [UInt8] {
    guard frame.count <= longestAnswer else { throw .tooLong }
    guard frame.count > 8, let crc = number(frame[0..<4]), let length = number(frame[4..<8]) else {
      throw .form
    }
    let body = Array(frame[8...])
    guard body.count == Int(length) else { throw .length }
    guard Self.crc(body) == crc else { throw .crc }
    return body
  }

  /// CRC-16 of the polynomial x^16 + x^15 + x^2 + 1, reflected, from 0 (SIA DC-07, appendix B).
  static func crc(_ bytes: [UInt8]) -> UInt16 {
    var crc: UInt16 = 0
    for byte in bytes {
      crc ^= UInt16(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
    }
    return crc
  }

  private static func digits(_ number: UInt16) -> [UInt8] {
    [12, 8, 4, 0].map { Hex.capital(UInt8(number >> $0 & 15)) }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
    var number: UInt16 = 0
    for digit in digits {
      guard let value = Hex.value(of: digit) else { return nil }
      number = number << 4 | UInt16(value)
    }
    return number
  }
}

/// Why an answer is not one to the message that was sent.
enum DC09Flaw: Error, Equatable {
  /// Bytes that no LF begins.
  case noFrame
  case tooLong
  case form
  case length
  case crc
  /// It cannot be read with the key.
  case key
  /// It answers an encrypted message in the open, where anybody could.
  case open
  /// The number of another message.
  case sequence
  case account
  /// Its time is not that of the message: it may be an old one, played again.
  case time

  /// As a clause of what came.
  var words: String {
    switch self {
    case .noFrame: "what came is no frame"
    case .tooLong: "an answer was longer than \(DC09Frame.longestAnswer) bytes"
    case .form: "an answer was none of ACK, NAK and DUH"
    case .length: "the length of an answer was wrong"
    case .crc: "the CRC of an answer was wrong"
    case .key: "an answer cannot be read with the key: compare both keys"
    case .open: "an answer was not encrypted"
    case .sequence: "an answer was to another message"
    case .account: "an answer was to another account"
    case .time: "an answer was of another time: compare both clocks"
    }
  }
}

/// Cuts what a receiver sends into frames, however it arrives.
struct DC09FrameReader {
  private var held: [UInt8] = []
  private var isWithin = false
  private var isTooLong = false

  /// - Returns: what stands between each LF and CR, in order, and what is wrong in between. What is
  ///   held of a frame that has not ended is bounded.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [Result<[UInt8], DC09Flaw>] {
    var found: [Result<[UInt8], DC09Flaw>] = []
    for byte in bytes {
      switch byte {
      case DC09Frame.lineFeed:
        (held, isWithin, isTooLong) = ([], true, false)
      case DC09Frame.carriageReturn where isWithin:
        found.append(isTooLong ? .failure(.tooLong) : .success(held))
        (held, isWithin) = ([], false)
      case _ where !isWithin:
        // Said once for each run of them.
        if found.last != .failure(.noFrame) { found.append(.failure(.noFrame)) }
      case _ where held.count == DC09Frame.longestAnswer:
        isTooLong = true
      default: held.append(byte)
      }
    }
    return found
  }
}
