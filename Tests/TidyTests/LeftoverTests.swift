import Testing

@Suite struct LeftoverTests {
  @Test func `nothing is left over`() throws {
    #expect(Repository.texts.count >= 100, "the files were not found")
    #expect(Repository.texts.contains { $0.path == "Makefile" })
    expectNone(Leftovers.reminders(in: Repository.texts.filter(\.isCode)))
    expectNone(Leftovers.machinePaths(in: Repository.texts))
    expectNone(Leftovers.commentedOutCode(in: Repository.swift))
    expectNone(Leftovers.built(among: try Repository.trackedPaths()))
  }

  @Test func `planted reminders are found, longer words are not`() {
    let planted = Leftovers.reminders.map { "# \($0): later\n" }
    let longer = ["mkstemp XXXXXX", "HACKNEY"].map { "# \($0)\n" }
    let file = TextFile(path: "a.sh", text: (planted + longer).joined())
    #expect(Leftovers.reminders(in: [file]).map(\.line) == [1, 2, 3, 4])
  }

  @Test func `planted machine paths are found, addresses are not`() {
    let home = "/home" + "/owner/fob"
    let lines = [
      home, "cd \"\(home)\"", "https://example.org\(home)", "${PREFIX}\(home)", "the /work",
    ]
    let file = TextFile(path: "a.md", text: lines.joined(separator: "\n"))
    #expect(Leftovers.machinePaths(in: [file]).map(\.line) == [1, 2])
  }

  @Test(arguments: [
    "if pressed {", "}", "let a = 1", "var b: Int", "func f() -> Int", "import FobBase",
    "return f(1)", "try link.open(path)", "throw Refused(1)", "link.open(path)",
    "count = max(1, 2)", "x = 3;",
    "poll(fds, 1, 0);",
  ])
  func `planted commented-out code is found`(code: String) {
    let file = SwiftFile(path: "A.swift", text: "let a = 1\n  // \(code)\n/// \(code)\n")
    #expect(Leftovers.commentedOutCode(in: [file]).map(\.line) == [2])
  }

  @Test(arguments: [
    "The device is held; then", "released is unknown;", "poll(2)", "returns at once (EAGAIN)",
    "let the device retry", "One entry, as in `a = f(x)`", "errno = 0 is not success",
    "import and export are separate.", "see open(2) and poll(2)", "return early, as (2) says",
    "MARK: - Frames", "try again (EAGAIN)", "x = 3 at this point",
  ])
  func `a comment in prose passes`(prose: String) {
    expectNone(Leftovers.commentedOutCode(in: [SwiftFile(path: "A.swift", text: "// \(prose)\n")]))
  }

  @Test func `tracked products of the build are found`() {
    let paths = [
      "Sources/A.swift", ".build/debug/fob", "Benchmarks/Package.resolved", ".build-x/a",
    ]
    #expect(Leftovers.built(among: paths).map(\.path) == Array(paths[1...]))
  }
}
