import Testing

/// docs/reference/glossary.md rules: one word for one thing, and the old ones stay out.
@Suite struct GlossaryTests {
  private static let path = "docs/reference/glossary.md"

  /// The table of words that went: names of types in backquotes, and phrases.
  private static func gone() throws -> (names: Set<Substring>, phrases: [String]) {
    let glossary = try #require(Repository.texts.first { $0.path == path })
    let table = glossary.lines.drop { $0 != "## Words that went" }.filter { $0.hasPrefix("| ") }
    let words = table.dropFirst(2).compactMap { row in row.split(separator: "|").dropLast().first }
      .flatMap { $0.split(separator: ",") }.map { $0.trimming(while: \.isWhitespace) }
    let names = words.filter { $0.hasPrefix("`") }.map { $0.dropFirst().dropLast() }
    return (Set(names), words.filter { !$0.hasPrefix("`") }.map(String.init))
  }

  @Test func `no type has a name that went`() throws {
    let names = try Self.gone().names
    #expect(names.count >= 80, "the table was not found")
    expectNone(Glossary.declarations(of: names, in: Repository.swift))
  }

  @Test func `no text has a phrase that went`() throws {
    let phrases = try Self.gone().phrases
    #expect(phrases.count >= 5, "the table was not found")
    let texts = Repository.texts.filter {
      $0.path != Self.path && !$0.path.hasPrefix("Tests/TidyTests/")
    }
    expectNone(Glossary.uses(of: phrases, in: texts))
  }

  @Test func `a type's name stands once among the modules`() {
    let sources = Repository.swift.filter { $0.path.hasPrefix("Sources/") }
    expectNone(Glossary.repeated(in: sources))
  }

  @Test func `planted words are found`() {
    let file = SwiftFile(
      path: "Sources/A/A.swift", text: "struct Bell {}\n  enum Lane {}\n// Bell\n")
    #expect(Glossary.declarations(of: ["Bell", "Lane"], in: [file]).map(\.line) == [1, 2])
    let text = TextFile(
      path: "a.md", text: "By a Way out.\nThe only way, out of here.\nways\nout\n")
    #expect(Glossary.uses(of: ["way out", "ways out"], in: [text]).map(\.line) == [1, 3])
    let twice = ["A", "B"].map {
      SwiftFile(
        path: "Sources/\($0)/A.swift", text: "package struct Same {\n  struct Inner {}\n}\n")
    }
    #expect(Glossary.repeated(in: twice).map(\.line) == [1])
  }
}
