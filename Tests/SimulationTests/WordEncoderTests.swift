import Testing

@testable import Simulation

/// Whether a planted word that leaves a host is seen.
struct WordEncoderTests {
  private struct Encoded: Encodable {
    enum Kind: String, Encodable { case plain, quietly }

    struct Part: Encodable { var text: String }

    var text = "nothing"
    var optional: String?
    var list: [String] = []
    var parts: [Part] = []
    var byName: [String: Int] = [:]
    var byNumber: [Int: String] = [:]
    var kind = Kind.plain
    var number = 1.5
    var isTrue = true
  }

  private static let words = ["loudly", "quietly"]

  private func words(_ change: (inout Encoded) -> Void) -> [String] {
    var written = Encoded()
    change(&written)
    return WordEncoder.words(of: Self.words, in: written)
  }

  @Test func `a word is found in each text of a value, at its beginning, within and at its end`() {
    for text in ["quietly", "quietly so", "so quietly said", "so quietly", "\"quietly\""] {
      #expect(words { $0.text = text } == ["quietly"])
      #expect(words { $0.optional = text } == ["quietly"])
      #expect(words { $0.list = ["", text] } == ["quietly"])
      #expect(words { $0.parts = [.init(text: ""), .init(text: text)] } == ["quietly"])
      #expect(words { $0.byName = [text: 1] } == ["quietly"])
      #expect(words { $0.byNumber = [1: text] } == ["quietly"])
      #expect(WordEncoder.words(of: Self.words, in: text) == ["quietly"])
    }
    #expect(words { $0.kind = .quietly } == ["quietly"])
  }

  @Test func `each word is named once, in the order in which they are asked for`() {
    #expect(words { $0.list = ["quietly quietly", "loudly", "quietly"] } == ["loudly", "quietly"])
  }

  @Test func `what is not a whole word that was planted is none`() {
    #expect(words { _ in } == [])
    #expect(words { $0.list = ["quietl", "uietly", "quiet", "quietl-y", "QUIETLY"] } == [])
    #expect(WordEncoder.words(of: [], in: "quietly") == [])
  }
}
