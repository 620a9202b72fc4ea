import Foundation

/// A text as the mobile network carries it (R39, G8): in the default alphabet of 3GPP TS 23.038
/// where it can be, 160 septets in one message or 153 in each of several, else in UCS-2, 70 or 67
/// code units. No part ends between an escape and its character, or within a surrogate pair.
public struct SMSText: Equatable, Sendable {
  public enum Alphabet: Equatable, Sendable {
    case gsm7
    case ucs2

    var whole: Int { self == .gsm7 ? 160 : 70 }
    var part: Int { self == .gsm7 ? 153 : 67 }
  }

  /// Composed (Unicode NFC): an accent of its own would cost the whole text its short alphabet.
  public let text: String
  public let alphabet: Alphabet
  /// Septets, or code units of UTF-16.
  public let units: Int
  /// 0 for an empty text.
  public let segments: Int

  public init(_ text: String) {
    let text = text.precomposedStringWithCanonicalMapping
    self.text = text
    let septets = text.unicodeScalars.map { GSM7.septets($0) }
    let costs: [Int]
    if septets.contains(0) {
      alphabet = .ucs2
      costs = text.unicodeScalars.map { $0.value > 0xFFFF ? 2 : 1 }
    } else {
      alphabet = .gsm7
      costs = septets
    }
    units = costs.reduce(0, +)
    segments = Self.segments(costs, alphabet)
  }

  /// The text where it fits, else with as much taken out before the first `link` as needed: what
  /// leads to the person in need is kept.
  /// - Parameter limit: segments, at least 1.
  public init(_ text: String, keepingFrom link: String.Index?, limit: Int) {
    let whole = SMSText(text)
    guard whole.segments > limit else {
      self = whole
      return
    }
    let head = text[..<(link ?? text.endIndex)]
    let tail = text[(link ?? text.endIndex)...]
    if let fitting = Self.longest(head, behind: "... " + tail, limit) {
      self = fitting
    } else {
      self = Self.longest(tail, behind: "", limit) ?? SMSText("")
    }
  }

  /// The most of `head` with which `tail` fits into the limit; fewer characters never take more.
  private static func longest(_ head: Substring, behind tail: String, _ limit: Int) -> SMSText? {
    var low = 0
    var high = head.count
    guard SMSText(tail).segments <= limit else { return nil }
    while low < high {
      let middle = (low + high + 1) / 2
      if SMSText(head.prefix(middle) + tail).segments <= limit {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return SMSText(head.prefix(low) + tail)
  }

  private static func segments(_ costs: [Int], _ alphabet: Alphabet) -> Int {
    let units = costs.reduce(0, +)
    guard units > alphabet.whole else { return units == 0 ? 0 : 1 }
    var count = 1
    var used = 0
    for cost in costs {
      if used + cost > alphabet.part {
        count += 1
        used = 0
      }
      used += cost
    }
    return count
  }
}

/// The default alphabet and its extension (3GPP TS 23.038, 6.2.1).
enum GSM7 {
  private static let basic = Set(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
      + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
  /// Each behind an escape.
  private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

  /// 0 for what it cannot write.
  static func septets(_ scalar: Unicode.Scalar) -> Int {
    basic.contains(scalar) ? 1 : extended.contains(scalar) ? 2 : 0
  }
}
