import Testing

/// What can be read in one sitting: files of 400 lines, functions of 70, lines of 100 columns.
@Suite struct LengthTests {
  /// Files that may be longer, up to 600 lines, and why.
  private static let longer: [String: LongFile] = [:]

  struct LongFile {
    let lines: Int
    let reason: String
  }

  @Test func `files, functions and lines keep their lengths`() {
    let code = Repository.texts.filter(\.isCode)
    #expect(code.count >= 100, "the code was not found")
    expectNone(fileOffences(in: code))
    expectNone(lineOffences(in: code))
    expectNone(functionOffences(in: Repository.swift))
  }

  @Test func `a longer file has a reason, is still longer, and never passes 600`() {
    for (path, allowed) in Self.longer {
      #expect(allowed.lines <= 600, "\(path)")
      #expect(allowed.reason.split(separator: " ").count >= 3, "\(path)")
      let lines = Repository.texts.first { $0.path == path }?.lines.count
      #expect(lines ?? 0 > 400, "\(path) needs no exception")
    }
  }

  @Test func `a planted long file is found`() {
    let text = String(repeating: "let a = 1\n", count: 400)
    expectNone(fileOffences(in: [TextFile(path: "Sources/A/A.swift", text: text)]))
    #expect(fileOffences(in: [TextFile(path: "Sources/A/A.swift", text: text + "b\n")]).count == 1)
  }

  @Test func `a planted long line is found, counted in characters`() {
    let text = String(repeating: "µ", count: 100)
    expectNone(lineOffences(in: [TextFile(path: "a.c", text: text + "\n")]))
    #expect(lineOffences(in: [TextFile(path: "a.c", text: "\n" + text + "µ\n")]).map(\.line) == [2])
  }

  @Test(arguments: [
    "func f() {", "init?(a: Int) throws {", "subscript(i: Int) -> Int {", "deinit {",
    "var v: [Int] {", "func `a sentence {`(\n  a: () -> Void = { },\n  b: Int\n) -> Int {",
  ])
  func `a planted long function is found`(head: String) {
    let heading = head.split(separator: "\n").count
    let body = String(repeating: "    if a { b(\"}\") } // }\n", count: 69 - heading)
    let short = SwiftFile(path: "A.swift", text: "struct A {\n\(head)\n\(body)}\n}\n")
    expectNone(functionOffences(in: [short]))
    let long = SwiftFile(path: "A.swift", text: "struct A {\n\(head)\n\(body)\n\n}\n}\n")
    #expect(functionOffences(in: [long]).map(\.line) == [2])
  }

  @Test func `a nested function counts by itself and within its parent`() {
    let file = SwiftFile(path: "A.swift", text: "func a() {\n  func b() {\n  }\n  b()\n}\n")
    #expect(
      FunctionScanner.functions(in: file) == [
        .init(line: 1, length: 5), .init(line: 2, length: 2),
      ])
  }

  @Test func `what has no body has no length`() {
    let file = SwiftFile(
      path: "A.swift",
      text: """
        protocol A {
          func a(_ b: Int) -> Int
          init(c: Int)
          func d() throws
        }
        struct B {
          var e = [1].map { $0 }
          var f: Int
          func g() { self.init(a: 1) }
        }
        """)
    #expect(FunctionScanner.functions(in: file) == [.init(line: 9, length: 1)])
  }

  private func fileOffences(in files: [TextFile]) -> [Offence] {
    files.compactMap { file in
      let most = Self.longer[file.path]?.lines ?? 400
      guard file.lines.count > most else { return nil }
      return Offence(path: file.path, line: 0, message: "\(file.lines.count) lines (\(most))")
    }
  }

  private func lineOffences(in files: [TextFile]) -> [Offence] {
    files.flatMap { file in
      file.lines.enumerated().filter { $1.utf8.count > 100 && $1.count > 100 }.map {
        Offence(path: file.path, line: $0 + 1, message: "\($1.count) columns (100)")
      }
    }
  }

  private func functionOffences(in files: [SwiftFile]) -> [Offence] {
    files.flatMap { file in
      FunctionScanner.functions(in: file).filter { $0.length > 70 }.map {
        Offence(path: file.path, line: $0.line, message: "a function of \($0.length) lines (70)")
      }
    }
  }
}
