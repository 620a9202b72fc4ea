import Testing

/// Each row that this version has to carry is proved by a test that cites it.
@Suite struct RequirementTests {
  private static let required =
    [1...18, 20...21, 23...68, 118...124].flatMap { $0.map { "R\($0)" } } + ["R104"]
  private static let shown =
    [1...68, 104...104, 118...124].flatMap { $0.map { "R\($0)" } } + (1...20).map { "G\($0)" }

  /// Rows of which a part, or all, is proved in another place.
  private static let elsewhere: [String: String] = [
    "R19": "the form's buttons and spinner are the page's: Tests/PageTests",
    "R22": "where a user lands is the page's: Tests/PageTests",
  ]

  @Test func `every row has a test that cites it`() {
    let tests = Repository.swift.filter {
      $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/TidyTests/")
    }
    #expect(tests.count >= 100, "the tests were not found")
    let citations = Citations(in: tests)
    print(citations.table(Self.shown, notes: Self.elsewhere))
    for row in Self.required where Self.elsewhere[row] == nil {
      #expect(citations.suites[row] != nil, "no test cites \(row)")
    }
  }

  /// 58 rows of the emergency, its 11 companions in the first two documents, 7 of the messages, 11
  /// of calm, 24 of check-ins, and 9 of looking back.
  @Test func `each row of the reference names tests that there are`() throws {
    let document = Repository.texts.first { $0.path == "docs/reference/rows.md" }
    let rows = try #require(document).lines.compactMap {
      $0.firstMatch(of: /^\| (R\d+) \| (P[01]) \| .+ \| (.+) \|$/)?.output
    }
    #expect(rows.count { $0.2 == "P0" } == 58 && rows.count { $0.2 == "P1" } == 62)
    #expect(Set(rows.map(\.1)).count == rows.count)
    let tests = Repository.texts.lazy.filter { $0.path.hasPrefix("Tests/") }
      .flatMap(\.lines).filter { $0.contains("func `") || $0.contains("def test_") }
      .joined(separator: "\n")
    for row in rows {
      let names = row.3.matches(of: /`([^`]+)`/).map(\.output.1)
      #expect(!names.isEmpty, "\(row.1)")
      for name in names {
        let isPage = name.hasPrefix("test_")
        let declared = isPage ? "def \(name.split(separator: ".").last ?? "")(" : "`\(name)`("
        #expect(tests.contains(declared), "\(row.1): \(name)")
      }
    }
  }

  @Test(arguments: [
    ("R38: a cancel", ["R38"]), ("R42, R50 to R52 and G1", ["R42", "R50", "R51", "R52", "G1"]),
    ("R41 to G3", ["R41", "G3"]), ("R52 to R50", ["R52", "R50"]), ("RFC 5321, R, GPS, R1x", []),
    ("(R104, G18)", ["R104", "G18"]), ("CR2 LR3 R12345", []), ("", []),
  ])
  func `rows are read out of a sentence, ranges with what lies between`(
    _ text: String, _ rows: [String]
  ) {
    #expect(Citations.rows(in: text) == rows)
  }

  @Test func `a name and a comment above a test or suite cite, other comments do not`() {
    let file = SwiftFile(
      path: "Tests/ATests/BTests.swift",
      text: """
        /// R1 and
        /// R2.
        struct BTests {
          /// R3: of a helper.
          private func help() {}
          // R4: no comment of documentation.
          @Test func `R5: a name`() { help("R6") }
          /// R7.
          @Test(arguments: [1])
          func `R5, R8: another`(_ a: Int) {}
        }
        /// R9.
        struct Bench {}
        """)
    #expect(
      Citations(in: [file]).suites
        == Dictionary(
          uniqueKeysWithValues: [("R1", 1), ("R2", 1), ("R5", 2), ("R7", 1), ("R8", 1)].map {
            ($0, ["BTests": $1])
          }))
  }

  @Test func `the table keeps to a hundred columns and loses nothing`() {
    let files = (1...30).map {
      SwiftFile(
        path: "Tests/ATests/QuiteLongName\($0)Tests.swift", text: "@Test func `R1: a`() {}\n")
    }
    let table = Citations(in: files).table(["R1", "G20"], notes: ["G20": "a note"])
    let lines = table.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
    for n in 1...30 { #expect(table.contains("QuiteLongName\(n)Tests")) }
    #expect(lines.last == "G20  -   (a note)")
  }
}
