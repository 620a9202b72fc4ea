import Testing

/// Machines take time, chance and order as inputs (rule 1 of docs/explanation/architecture.md).
@Suite struct PurityTests {
  @Test func `pure targets hold no concurrency, clock, chance or output`() {
    let pure = Repository.sources.filter { Layer.table[$0.target]?.isPure == true }
    #expect(Set(pure.map(\.target)).count == 8)
    expectNone(offences(in: pure))
  }

  @Test(arguments: [
    "func f() async {}", "await x", "Task { }", "let lock = Mutex(0)", "let now = Date()",
    "print(now)", "Int.random(in: 0..<3)", "ContinuousClock.now", "clock_gettime(0, &t)",
    #"label = "\(Date())""#,
  ])
  func `a planted token is found`(text: String) {
    let file = SwiftFile(path: "Sources/NMEA/Planted.swift", text: "let a = 1\n" + text)
    #expect(offences(in: [file]).map(\.line) == [2])
  }

  @Test(arguments: [
    "// await the Task", "/* async /* print(1) */ Date() */", #"let s = "print(Date())""#,
    "let t = \"\"\"\n  await \"Task\"\n  \"\"\"", ##"let r = #"a "await" \(Task)"#"##,
    "CivilDate(1)", "let date: Date", "let blueprint = printed", "func `await a Task`() {}",
  ])
  func `prose, literals and longer names pass`(text: String) {
    expectNone(offences(in: [SwiftFile(path: "Sources/NMEA/Fine.swift", text: text)]))
  }

  private func offences(in files: [SwiftFile]) -> [Offence] {
    let words: Set<Substring> = [
      "async", "await", "Task", "Mutex", "ContinuousClock", "SuspendingClock", "clock_gettime",
    ]
    let calls: Set<Substring> = ["Date", "print", "random"]
    return files.flatMap { file in
      file.code.enumerated().flatMap { index, line in
        Word.all(in: line).filter {
          words.contains($0.text) || (calls.contains($0.text) && $0.isCalled)
        }.map {
          Offence(path: file.path, line: index + 1, message: "`\($0.text)` in a pure target")
        }
      }
    }
  }
}
