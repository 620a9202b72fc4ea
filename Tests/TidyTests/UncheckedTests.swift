import Testing

/// Where the compiler is asked to look away, a comment above says why that is right.
@Suite struct UncheckedTests {
  @Test func `every unchecked promise states its reason above`() {
    #expect(Repository.swift.count >= 100, "the Swift files were not found")
    expectNone(offences(in: Repository.swift))
  }

  @Test(arguments: [
    "final class A: @unchecked Sendable {}",
    "/// A thing.\nfinal class A: @unchecked Sendable {}",
    "// Guarded by `lock`.\n\nfinal class A: @unchecked Sendable {}",
    "let why = \"guarded\"\nnonisolated(unsafe) var a = 1",
    "final class A:\n  @unchecked Sendable\n{}",
  ])
  func `a planted promise without a reason is found`(text: String) {
    #expect(offences(in: [SwiftFile(path: "A.swift", text: text)]).count == 1)
  }

  @Test(arguments: [
    "// Guarded by `lock`.\nfinal class A: @unchecked Sendable {}",
    "/// A thing.\n/// Only the reader thread\n/// touches it.\n@frozen\npublic struct A:\n"
      + "  @unchecked Sendable\n{}",
    "// Written once, before any thread starts.\nnonisolated(unsafe) var a = 1",
    "let text = \"@unchecked Sendable\" // nonisolated(unsafe)",
  ])
  func `a promise with its reason passes`(text: String) {
    expectNone(offences(in: [SwiftFile(path: "A.swift", text: text)]))
  }

  private func offences(in files: [SwiftFile]) -> [Offence] {
    files.flatMap { file in
      file.code.indices.filter { index in
        file.code[index].contains("@unchecked") || file.code[index].contains("nonisolated(unsafe)")
      }.filter { !hasReason(above: $0, in: file) }.map {
        Offence(path: file.path, line: $0 + 1, message: "no comment above says why this is safe")
      }
    }
  }

  private func hasReason(above index: Int, in file: SwiftFile) -> Bool {
    var line = declarationStart(of: index, in: file)
    var words: [String] = []
    while line > 0, isBlank(file.code[line - 1]), !isBlank(file.comments[line - 1]) {
      line -= 1
      words += Word.all(in: file.comments[line]).map { $0.text.lowercased() }
    }
    let reasons: Set = [
      "because", "guarded", "guards", "immutable", "lock", "locked", "mutex", "never", "once",
      "only", "owned", "owns", "safe", "since", "thread", "unchecked", "unsafe",
    ]
    return words.count >= 3 && !reasons.isDisjoint(with: words)
  }

  /// The declaration may have begun some lines above its promise, with attributes above that.
  private func declarationStart(of index: Int, in file: SwiftFile) -> Int {
    let openings: Set<Substring> = ["class", "struct", "enum", "extension", "var", "let"]
    func opens(_ line: Int) -> Bool {
      Word.all(in: file.code[line]).contains { openings.contains($0.text) }
    }
    var line = index
    while line > 0, !opens(line), !isBlank(file.code[line - 1]) { line -= 1 }
    while line > 0, file.code[line - 1].drop(while: \.isWhitespace).first == "@" { line -= 1 }
    return line
  }

  private func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
}
