import Testing

/// Facts that stand in two places and must agree.
@Suite struct FactTests {
  /// Within a tenth, so that a comment more does not fail the build, and a path that has grown
  /// into something else does.
  @Test func `the alarm path has the lines that its document says`() throws {
    let document = "docs/explanation/alarm-path.md"
    let rows = try lines(of: document).compactMap(pathRow)
    #expect(rows.count >= 20, "the table of the alarm path was not found")
    for (path, stated) in rows {
      let actual = try lines(of: "Sources/" + path).count
      #expect(
        abs(actual - stated) * 10 <= stated,
        "\(document): \(path) has \(actual) lines, not \(stated)")
    }
  }

  @Test func `the reference has the exit codes of the table in the code`() throws {
    let code = try lines(of: "Sources/fob/ExitStatus.swift").compactMap { line in
      line.contains("case ")
        ? line.split(separator: "= ").dropFirst().first.flatMap { Int($0) } : nil
    }
    let documented = try lines(of: "docs/reference/exit-codes.md").compactMap { line -> Int? in
      let cells = line.split(separator: "|").map { $0.trimming() }
      return cells.count == 2 ? Int(cells[0]) : nil
    }
    #expect(code.count >= 5, "the exit codes were not found")
    #expect(documented == code)
  }

  /// README is read by those who know nothing of fob yet.
  @Test(arguments: [("README.md", 200), ("docs/explanation/architecture.md", 200)])
  func `a document that is read first is short`(path: String, limit: Int) throws {
    #expect(try lines(of: path).count <= limit)
  }

  /// `| Bridge/CoreRunner | `handle` | 10 | 50 |`
  private func pathRow(_ line: String) -> (path: String, lines: Int)? {
    let cells = line.split(separator: "|").map { $0.trimming() }
    guard cells.count == 4, cells[0].contains("/"), let lines = Int(cells[3]) else { return nil }
    return (cells[0] + ".swift", lines)
  }

  private func lines(of path: String) throws -> [String] {
    let file = try #require(Repository.texts.first { $0.path == path }, "there is no \(path)")
    return file.lines.map(String.init)
  }
}

extension Substring {
  fileprivate func trimming() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
