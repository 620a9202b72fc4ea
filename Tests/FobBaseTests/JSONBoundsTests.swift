import FobBase
import TestSupport
import Testing

/// How deep and wide a JSON text may be, before a decoder sees it.
struct JSONBoundsTests {
  private static let bounds = JSONBounds(depth: 4, values: 8, word: 6)

  private func excess(_ text: String, _ bounds: JSONBounds = bounds) -> JSONBounds.Excess? {
    Array(text.utf8).withUnsafeBytes { bounds.excess(in: $0) }
  }

  @Test(arguments: [
    "", "1", "123456", "-1.5e3", "null", "[[[[1]]]]", #"{"a":{"b":[{"c":1}]}}"#, "[1,2,3,4,5,6,7]",
    #"["[[[[[[[[","{{{{{{{{",",,,,,,,,,,","\"[[[[[[","\\"]"#,
    #""123456789012345""#, "]]]]", "\u{FEFF}1",
  ])
  func `what is within the bounds is let through`(text: String) {
    #expect(excess(text) == nil)
  }

  @Test(arguments: [
    ("[[[[[", JSONBounds.Excess.depth), (#"{"a":[{"b":[{"#, .depth), ("[1,2,3,4,5,6,7,8]", .values),
    ("[],[],[],[],[]", .values), ("1234567", .word), (#"{"a":-1.23e45}"#, .word),
    (#"["\\",1234567]"#, .word), ("a\u{0}", .encoding), ("\"\u{0}\"", .encoding),
  ])
  func `what exceeds them is not, whatever comes after`(
    text: String, excess wanted: JSONBounds.Excess
  ) {
    #expect(excess(text) == wanted)
    #expect(excess(text + #"]]}}",,"#) == wanted)
  }

  @Test func `brackets that UTF-16 hides behind a quote are not let through`() {
    // U+2200 is 00 22 or 22 00: one byte of it is a quote.
    for text in ["∀[[[[[[[[", "[[[[[[["] {
      let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      for bytes in [little, big] {
        #expect(bytes.withUnsafeBytes { Self.bounds.excess(in: $0) } == .encoding)
      }
    }
  }

  @Test(arguments: [
    ("1", 0), ("[1,[2]]", 0), ("{}", 0), (#"{"a":1}"#, 1), (#"{"a":{"b":[{"c":1},{"c":2}]}}"#, 4),
    (#"{"a:b":"c:d"}"#, 1), (#"{"\":\\":"\\"}"#, 1), (#"{"a":1,"a":1}"#, 2),
  ])
  func `members are counted as they stand there, and not within texts`(text: String, count: Int) {
    #expect(Array(text.utf8).withUnsafeBytes { JSONBounds.members(in: $0) } == count)
  }

  @Test func `depth and values are those of a text that is made at random`() {
    var generator = SeededGenerator(seed: 19)
    for _ in 0..<(Soak.isOn ? 100_000 : 2_000) {
      let made = MadeJSON(generator: generator)
      let text = made.text
      generator = made.generator
      let wide = JSONBounds(depth: made.depth, values: made.values, word: 64)
      #expect(excess(text, wide) == nil, "\(text)")
      guard made.depth > 0 else { continue }
      let shallow = JSONBounds(depth: made.depth - 1, values: made.values, word: 64)
      #expect(excess(text, shallow) == .depth, "\(text)")
      let narrow = JSONBounds(depth: made.depth, values: made.values - 1, word: 64)
      #expect(excess(text, narrow) == .values, "\(text)")
    }
  }
}

/// A JSON text, and what it holds by another way of counting.
private struct MadeJSON {
  var generator: SeededGenerator
  private(set) var text = ""
  private(set) var depth = 0
  /// As the bounds count them: an empty object or array is two.
  private(set) var values = 0

  init(generator: SeededGenerator) {
    self.generator = generator
    add(at: 0)
  }

  private mutating func add(at level: Int) {
    values += 1
    let kind = level > 5 ? Int.random(in: 0...1, using: &generator) : pick(4)
    switch kind {
    case 0: text += "\(Int.random(in: -9_999...9_999, using: &generator))"
    case 1: text += ["\"\"", "\"[{\"", "\"a\\\"]\"", "\"\\\\\"", "\",\"", "null"][pick(6)]
    default:
      depth = max(depth, level + 1)
      let isObject = kind == 2
      let count = pick(4)
      text += isObject ? "{" : "["
      for index in 0..<count {
        if index > 0 { text += "," }
        if isObject { text += "\"k\(index)]\": " }
        add(at: level + 1)
      }
      if count == 0 { values += 1 }
      text += isObject ? "}" : "]"
    }
  }

  private mutating func pick(_ count: Int) -> Int {
    Int.random(in: 0..<count, using: &generator)
  }
}
