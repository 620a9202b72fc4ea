import FobBase
import TestSupport
import Testing

@testable import WireProtocol

struct LabelVector: Decodable, Sendable {
  let name: String
  let device: String
  let key: String
  let text: String
  let scanned: String

  static func load() throws -> [LabelVector] {
    struct All: Decodable { let labels: [LabelVector] }
    return try ProtocolFolder.json("vectors/seal.json", as: All.self).labels
  }
}

/// The code of a label (PROTOCOL.md, 15.6).
struct LabelCodeTests {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  private static func label(_ random: inout SeededGenerator) -> LabelCode {
    let key = PairingKey(
      low: .random(in: 0 ... .max, using: &random), high: .random(in: 0 ... .max, using: &random))
    return LabelCode(key, of: DeviceID(rawValue: .random(in: 0 ... .max, using: &random)))
  }

  private static func letters(_ label: LabelCode) -> [Character] {
    label.text.filter { $0 != "-" }
  }

  private static func refusal(_ text: String) -> LabelCode.Refusal? {
    do throws(LabelCode.Refusal) {
      _ = try LabelCode(text)
      return nil
    } catch {
      return error
    }
  }

  private static func isRefused(_ letters: [Character]) -> Bool { refusal(String(letters)) != nil }

  @Test(arguments: try LabelVector.load())
  func `labels of the vectors are written and read`(_ vector: LabelVector) throws {
    let key = [UInt8](hex: vector.key)
    let halves = [key[..<8], key[8...]].map { half in
      half.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let device = try #require(UInt64(vector.device, radix: 16))
    let label = LabelCode(
      PairingKey(low: halves[0], high: halves[1]), of: DeviceID(rawValue: device))
    #expect(label.text == vector.text && label.scanned == vector.scanned)
    #expect(try LabelCode(vector.text) == label)
    #expect(try LabelCode(vector.scanned) == label)
  }

  @Test func `every label is read as it was written, whoever types it`() throws {
    var random = SeededGenerator(seed: 156)
    for _ in 0..<500 {
      let label = Self.label(&random)
      let text = label.text
      #expect(text.utf8.count == LabelCode.length + 8)
      let like = text.map { letter -> Character in
        switch letter {
        case "0": Bool.random(using: &random) ? "O" : "o"
        case "1": ["I", "i", "L", "l"].randomElement(using: &random) ?? "1"
        case "-":
          ["-", " ", "\u{2013}", "\u{2011}", "\u{2212}", "\u{AD}", "\u{A0}", "\n"]
            .randomElement(using: &random) ?? "-"
        default: letter
        }
      }
      for typed in [
        text, text.lowercased(), text.filter { $0 != "-" }, String(like), " \(text)\r\n",
        label.scanned, label.scanned.lowercased(), "fob: \(text)", "\u{FEFF}\(text)\n",
        "\u{FEFF}\(label.scanned)\r\n",
      ] { #expect(try LabelCode(typed) == label, "\(typed)") }
    }
  }

  @Test func `one wrong letter is found, wherever it is and whichever it is`() {
    var random = SeededGenerator(seed: 157)
    for _ in 0..<5 {
      let right = Self.letters(Self.label(&random))
      for place in right.indices {
        for other in Self.alphabet where other != right[place] {
          var wrong = right
          wrong[place] = other
          #expect(Self.isRefused(wrong))
        }
      }
    }
  }

  @Test func `any two that are swapped are found, and up to four wrong ones`() {
    var random = SeededGenerator(seed: 158)
    for _ in 0..<5 {
      let right = Self.letters(Self.label(&random))
      for a in right.indices {
        for b in right.indices where right[a] != right[b] {
          var wrong = right
          wrong.swapAt(a, b)
          #expect(Self.isRefused(wrong))
        }
      }
      for _ in 0..<1_000 {
        var wrong = right
        for place in right.indices.shuffled(using: &random).prefix(4) {
          wrong[place] = Self.alphabet.randomElement(using: &random) ?? "0"
        }
        #expect(wrong == right || Self.isRefused(wrong))
      }
    }
  }

  @Test func `why a text is no code is said, without a part of it`() throws {
    let text = try #require(try LabelVector.load().first).text
    #expect(Self.refusal("") == .length(0))
    #expect(Self.refusal(String(text.dropLast())) == .length(44))
    #expect(Self.refusal(text + "0") == .length(46))
    #expect(Self.refusal(String(repeating: "0", count: 10_000)) == .length(46))
    #expect(Self.refusal("2000U" + text.dropFirst(5)) == .character(at: 5))
    #expect(Self.refusal("Ä") == .character(at: 1))
    #expect(Self.refusal("BAR:" + text) == .character(at: 4))
    #expect(Self.refusal(String(text.dropLast()) + "J") == .mistyped)
    for refusal in [LabelCode.Refusal.length(44), .character(at: 5), .mistyped, .version] {
      #expect(!refusal.description.contains(text.prefix(5)))
    }
  }

  @Test func `a label of a version to come says so`() {
    let newer = LabelCode(PairingKey(low: 1, high: 2), of: .bench(1)).code(version: 1)
    #expect(Self.refusal(newer) == .version)
  }
}
