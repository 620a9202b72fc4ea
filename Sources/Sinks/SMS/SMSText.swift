import AlertCore
import Foundation

/// A text as the mobile network carries it (R39, G8). In the default alphabet of 3GPP TS 23.038 a
/// message has 160 septets, or 153 in each of several; in UCS-2 it has 70 or 67 code units. No part
/// ends between an escape and its character, or within a surrogate pair.
public struct SMSText: Equatable, Sendable {
  /// How the characters are coded; UCS-2 as soon as one is not in the default alphabet.
  public enum Alphabet: Equatable, Sendable {
    case gsm7
    case ucs2

    var whole: Int { self == .gsm7 ? 160 : 70 }
    var part: Int { self == .gsm7 ? 153 : 67 }
  }

  /// Composed (Unicode NFC): a separate accent would force the whole text into UCS-2.
  public let text: String
  /// The shortest alphabet that has all characters.
  public let alphabet: Alphabet
  /// Length in septets (`gsm7`) or UTF-16 code units (`ucs2`).
  public let units: Int
  /// How many messages carry the text; 0 for an empty text.
  public let segments: Int

  /// Composes and measures the text; nothing is shortened.
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

  /// The text if it fits, otherwise shortened in front of `link`, so that the link to the person in
  /// need is kept. Nil keeps the beginning. `limit` counts segments, at least 1.
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

  /// The longest beginning of `head` that fits into the limit with `tail`; fewer characters never
  /// need more segments.
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
