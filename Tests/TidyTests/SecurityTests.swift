import Testing

/// SECURITY.md claims nothing that no test holds.
@Suite struct SecurityTests {
  @Test func `each threat names a control, and tests or scripts that are there`() throws {
    let document = try #require(Repository.texts.first { $0.path == "SECURITY.md" })
    let threats = document.lines.drop { $0 != "## Threats" }.map { $0.split(separator: "|") }
      .filter { $0.count == 3 && !$0[0].contains("---") && $0[0] != " threat " }
    #expect(threats.count >= 15, "the tables of threats were not found")
    let paths = Repository.texts.map(\.path)
    for threat in threats {
      let names = threat[2].split(separator: "`").filter { $0.contains { $0.isLetter } }
      #expect(!names.isEmpty, "no test holds:\(threat[0])")
      for name in names {
        #expect(
          paths.contains(String(name)) || paths.contains { $0.hasSuffix("/\(name).swift") }
            || paths.contains { $0.hasPrefix("Tests/\(name)/") },
          "SECURITY.md: there is no \(name)")
      }
    }
  }
}
