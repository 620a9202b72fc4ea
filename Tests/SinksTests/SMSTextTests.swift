import Foundation
import TestSupport
import Testing

@testable import Sinks

@Suite struct SMSTextTests {
  /// As the example of the source has it, told of the Owner, in its 285 characters.
  static let golden =
    "ALERT! Account Owner 1 has activated her SafeTime keychain alarm and may be in an"
    + " emergency situation. Last known location was 77 Mill St., Athens, Ohio 45701. 39.3298832,"
    + " -82.0977485 at 11:47pm EST. If your phone is compatible, a map with precise location is"
    + " included in this message."

  @Test func `the text of the source takes two messages of the default alphabet`() {
    #expect(Self.golden.count == 285)
    let text = SMSText(Self.golden)
    #expect(text.alphabet == .gsm7)
    #expect(text.units == 285)
    #expect(text.segments == 2)
  }

  @Test(arguments: [
    ("", 0, 0), ("a", 1, 1), (String(repeating: "a", count: 160), 160, 1),
    (String(repeating: "a", count: 161), 161, 2), (String(repeating: "a", count: 306), 306, 2),
    (String(repeating: "a", count: 307), 307, 3), (String(repeating: "€", count: 80), 160, 1),
    // An escape and its character do not part: 76 of them fill a message of 153.
    (String(repeating: "€", count: 81), 162, 2), (String(repeating: "€", count: 152), 304, 2),
    (String(repeating: "€", count: 153), 306, 3),
  ])
  func `septets are 160 in one message and 153 in each of several`(
    text: String, units: Int, segments: Int
  ) {
    let counted = SMSText(text)
    #expect(counted.alphabet == .gsm7)
    #expect(counted.units == units)
    #expect(counted.segments == segments)
  }

  @Test(arguments: [
    ("ш", 1, 1), (String(repeating: "ш", count: 70), 70, 1),
    (String(repeating: "ш", count: 71), 71, 2), (String(repeating: "ш", count: 134), 134, 2),
    (String(repeating: "ш", count: 135), 135, 3), (String(repeating: "🔔", count: 35), 70, 1),
    // A surrogate pair does not part: 33 of them fill a message of 67.
    (String(repeating: "🔔", count: 36), 72, 2), (String(repeating: "🔔", count: 66), 132, 2),
    (String(repeating: "🔔", count: 67), 134, 3),
  ])
  func `code units are 70 in one message and 67 in each of several`(
    text: String, units: Int, segments: Int
  ) {
    let counted = SMSText(text)
    #expect(counted.alphabet == .ucs2)
    #expect(counted.units == units)
    #expect(counted.segments == segments)
  }

  @Test func `an accent that was typed apart keeps the short alphabet`() {
    #expect(SMSText("Rene\u{301}e").alphabet == .gsm7)
    #expect(SMSText("Rene\u{301}e").units == 5)
  }

  @Test(arguments: 0..<400)
  func `the count is that of a sender who fills one message after the other`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = Self.randomText(&random)
    let counted = SMSText(text)
    let scalars = Array(counted.text.unicodeScalars)
    let isShort = GSM7Oracle.septets(counted.text) != nil
    #expect((counted.alphabet == .gsm7) == isShort)
    let costs = scalars.map { scalar in
      isShort ? GSM7Oracle.septets(String(scalar))! : String(scalar).utf16.count
    }
    #expect(counted.units == costs.reduce(0, +))
    let (whole, part) = isShort ? (160, 153) : (70, 67)
    var parts: [[Int]] = []
    for cost in costs {
      if let last = parts.last, last.reduce(0, +) + cost <= part {
        parts[parts.count - 1].append(cost)
      } else {
        parts.append([cost])
      }
    }
    #expect(counted.segments == (counted.units == 0 ? 0 : counted.units <= whole ? 1 : parts.count))
  }

  @Test(arguments: 0..<200)
  func `a long text is shortened before its link, and as little as need be`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...10, using: &random)
    let link = "Map: geo:51.4778000,-0.0015000"
    let text = Self.randomText(&random) + " " + link
    let start = try #require(text.range(of: link, options: .backwards)).lowerBound
    let fitted = SMSText(text, keepingFrom: start, limit: limit)
    #expect(fitted.segments <= limit)
    #expect(fitted.text.hasSuffix(link))
    let whole = SMSText(text)
    if whole.segments <= limit {
      #expect(fitted == whole)
    } else {
      let kept = fitted.text.dropLast(link.count + 4)
      #expect(fitted.text.dropLast(link.count).hasSuffix("... "))
      let more = text.precomposedStringWithCanonicalMapping.prefix(kept.count + 1)
      #expect(SMSText(more + "... " + link).segments > limit)
    }
  }

  @Test func `a link that is too long by itself is cut, never refused`() {
    let text = "ALERT! " + String(repeating: "x", count: 5_000)
    #expect(
      SMSText(text, keepingFrom: text.index(text.startIndex, offsetBy: 7), limit: 10).segments == 10
    )
    #expect(SMSText(text, keepingFrom: nil, limit: 10).text.hasPrefix("ALERT! xxx"))
  }

  private static func randomText(_ random: inout SeededGenerator) -> String {
    let plain = Array("ALERT! Owner may need help, 51.4778 at 11:47pm")
    let odd = Array("€[]|^\n@ß") + (Bool.random(using: &random) ? Array("ш🔔é中") : [])
    let count = Int.random(in: 0...2_500, using: &random)
    return String(
      (0..<count).map { _ in
        (Int.random(in: 0..<4, using: &random) == 0 ? odd : plain).randomElement(using: &random)!
      })
  }
}
