import Testing

@Suite struct SentenceTests {
  @Test func `no program takes a sentence apart that the log has for people`() throws {
    let programs = Repository.texts.filter(Sentences.isProgram)
    #expect(Set(programs.map(\.suffix)).isSuperset(of: ["swift", "js", "py"]))
    expectNone(Sentences.takenApart(in: programs))
    let reader = try #require(Repository.texts.first { $0.path == Sentences.reader })
    #expect(!Sentences.takenApart(in: [reader]).isEmpty, "the one that may")
  }

  @Test(arguments: [
    #"const closing = line.detail?.startsWith("closing") ?? false;"#,
    #"const colon = detail?.indexOf(": ") ?? -1;"#, "return detail.slice(colon + 2);",
    #"states: line.detail?.split(" → ")"#, #"let arrow = detail.range(of: "→ ")"#,
    "guard detail.hasPrefix(name) else { return }", "happening.detail!.dropFirst(5)",
    #"if data.get("detail", "").endswith(words):"#, #"if "pressed" in line["detail"]:"#,
    #"if line.detail == "by one click" {"#, #"line["detail"].split()"#,
  ])
  func `a planted reader of sentences is found`(line: String) {
    let file = TextFile(path: "Sources/fob/A.swift", text: line + "\n")
    #expect(Sentences.takenApart(in: [file]).map(\.line) == [1])
  }

  @Test(arguments: [
    #"line("alarm", detail, .strong)"#, #"detail: line.detail ?? "","#,
    "if (event.detail.incident === incident.id) read();", "details.split(separator: 1)",
    #"told = [line["name"], line.get("detail"), line.get("who")]"#,
    #"reason: step.facts?.reason ?? "", next: step.next?.wall,"#,
  ])
  func `what shows a sentence passes`(line: String) {
    let file = TextFile(path: "Sources/fob/A.swift", text: line + "\n")
    #expect(Sentences.takenApart(in: [file]).isEmpty)
  }
}
