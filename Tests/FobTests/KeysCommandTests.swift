import Foundation
import TestSupport
import Testing

/// `fob keys`, as it is typed, on state folders that no core runs on.
struct KeysCommandTests {
  private static let first = "8000000000000001 0706050403020100 0f0e0d0c0b0a0908"
  private static let second = "8000000000000002 1111111111111111 2222222222222222"
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    try write("passphrase", "twelve words or more\n")
  }

  private func write(_ name: String, _ text: String) throws {
    let path = scratch.path(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  /// A state folder with the keys of these lines.
  private func folder(_ name: String, _ lines: String...) throws -> String {
    let path = scratch.path(name)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    if !lines.isEmpty {
      try write("\(name)/keys", (["fob keys 1"] + lines).joined(separator: "\n") + "\n")
    }
    return path
  }

  private func keys(_ folder: String) throws -> String {
    try String(contentsOfFile: folder + "/keys", encoding: .utf8)
  }

  private func fob(
    _ words: String?..., passphrase: String = "passphrase"
  ) throws -> (status: Int32?, output: String) {
    var arguments = ["keys"] + words.compactMap(\.self)
    if words[0] != "list" { arguments += ["--passphrase-file", scratch.path(passphrase)] }
    let process = try RunningFob(arguments, in: scratch, awaitsReady: false)
    let status = process.awaitEnd()
    return (status, process.output)
  }

  @Test func `keys move to another folder, and the file alone tells nobody`() throws {
    let old = try folder("old", Self.first, Self.second)
    let file = scratch.path("moved")
    #expect(try fob("list", "--state", old).output == "8000000000000001\n8000000000000002\n")
    #expect(try fob("export", "--state", old, file).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasPrefix("fob sealed keys 1\n"))
    #expect(!text.contains("0706050403020100") && !text.contains("8000000000000001"))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let new = try folder("new")
    let brought = try fob("import", "--state", new, file)
    #expect(brought.status == 0 && brought.output == "8000000000000001\n8000000000000002\n")
    #expect(try keys(new) == keys(old))
  }

  @Test func `a wrong passphrase, a changed file and a short passphrase bring nothing`() throws {
    let old = try folder("old", Self.first)
    let new = try folder("new")
    let file = scratch.path("moved")
    try write("other", "another passphrase\n")
    try write("short", "1234\n")
    #expect(try fob("export", "--state", old, file, passphrase: "short").status == 77)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try fob("export", "--state", old, file).status == 0)
    let wrong = try fob("import", "--state", new, file, passphrase: "other")
    #expect(wrong.status == 77 && wrong.output.contains("the passphrase is another"))
    try write("nonsense", "fob sealed keys 1\n00\n00\n00\n")
    #expect(try fob("import", "--state", new, scratch.path("nonsense")).status == 77)
    #expect(!FileManager.default.fileExists(atPath: new + "/keys"))
    #expect(try fob("export", "--state", new, file).output.contains("no keychain is paired"))
  }

  @Test func `a key that differs is not replaced unasked, and then nothing else comes either`()
    throws
  {
    let old = try folder("old", Self.first, Self.second)
    let file = scratch.path("moved")
    #expect(try fob("export", "--state", old, file).status == 0)
    let mine = "8000000000000002 3333333333333333 4444444444444444"
    let new = try folder("new", mine)
    let refused = try fob("import", "--state", new, file)
    #expect(refused.status == 77 && refused.output.contains("8000000000000002: one of them"))
    #expect(try keys(new) == "fob keys 1\n\(mine)\n")
    #expect(try fob("import", "--state", new, "--replace", file).status == 0)
    #expect(try keys(new) == keys(old))
  }

  @Test func `a damaged file of keys is neither exported nor written over`() throws {
    let old = try folder("old", Self.first)
    let file = scratch.path("moved")
    #expect(try fob("export", "--state", old, file).status == 0)
    let bad = try folder("bad", "not a key")
    for (word, file) in [("export", file), ("import", file), ("list", nil)] {
      let answer = try fob(word, "--state", bad, file)
      #expect(answer.status == 77 && answer.output.contains("is damaged"), "\(word)")
    }
    #expect(try keys(bad).contains("not a key"))
  }

  // MARK: Labels

  private func run(_ words: String...) throws -> (status: Int32?, output: String) {
    let process = try RunningFob(words, in: scratch, awaitsReady: false)
    let status = process.awaitEnd()
    return (status, process.output)
  }

  @Test func `a label is made once, printed again, and its QR code says the same`() throws {
    let file = scratch.path("label")
    let made = try run("keys", "label", "--new", "8000000000000001", file)
    #expect(made.status == 0)
    let lines = made.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 21)
    #expect(lines[0] == "keychain 8000000000000001")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == lines[1] + "\n")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try run("keys", "label", file).output == made.output)
    let again = try run("keys", "label", "--new", "8000000000000001", file)
    #expect(again.status == 66 && !again.output.contains(lines[1]))
    #expect(try scanned(lines.dropFirst(2)) == "FOB:" + lines[1].filter { $0 != "-" })
  }

  /// What a reader of QR codes makes of these lines, as a terminal with light letters shows them.
  private func scanned(_ lines: some Sequence<String>) throws -> String {
    let rows = lines.flatMap { line in
      [("\u{2588}", "\u{2580}"), ("\u{2588}", "\u{2584}")].map { half in
        line.map { String($0) == half.0 || String($0) == half.1 }
      }
    }
    let scale = 4
    let pixels = rows.flatMap { row in
      repeatElement(row.flatMap { repeatElement(UInt8($0 ? 255 : 0), count: scale) }, count: scale)
        .flatMap(\.self)
    }
    let image = Data("P5 \(rows[0].count * scale) \(rows.count * scale) 255\n".utf8) + pixels
    try image.write(to: URL(filePath: scratch.path("label.pgm")))
    let (_, output) = try Shell.run("zbarimg -q --raw '\(scratch.path("label.pgm"))'")
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `a label's file that others may read, or that is none, is refused without its text`()
    throws
  {
    let file = scratch.path("label")
    #expect(try run("keys", "label", "--new", "8000000000000002", file).status == 0)
    let code = try String(contentsOfFile: file, encoding: .utf8)
    let line = "pty:" + scratch.path("line")
    func emulate(_ more: String...) throws -> (status: Int32?, output: String) {
      let process = try RunningFob(
        ["emulate", "--key", file, "--on", line, "--control", scratch.path("sock")] + more,
        in: scratch, awaitsReady: false)
      let status = process.awaitEnd()
      return (status, process.output)
    }
    let other = try emulate()
    #expect(other.status == 77 && other.output.contains("is of the keychain 8000000000000002"))
    let many = try emulate("--count", "2")
    #expect(many.status == 64 && many.output.contains("--key is of one keychain"))
    try write("label", String(code.dropLast(2)))
    let short = try emulate("--serial", "2")
    #expect(short.status == 66 && short.output.contains("has 45 letters and digits"))
    #expect(!short.output.contains(code.prefix(11)))
    try write("label", code)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let open = try emulate("--serial", "2")
    #expect(open.status == 66 && open.output.contains("chmod 600"))
  }

  @Test func `a memory that was begun without the label's key is not given it later`() throws {
    let file = scratch.path("label")
    #expect(try run("keys", "label", "--new", "8000000000000001", file).status == 0)
    let begin = [
      "emulate", "--on", "pty:" + scratch.path("line"), "--control", scratch.path("sock"),
      "--store",
    ]
    let plain = try RunningFob(begin + [scratch.path("plain")], in: scratch)
    plain.interrupt()
    _ = plain.awaitEnd()
    let late = try RunningFob(
      begin + [scratch.path("plain"), "--key", file], in: scratch, awaitsReady: false)
    #expect(late.awaitEnd() != 0)
    #expect(late.output.contains("has not the key of its label"))
    for _ in 0..<2 {
      let labelled = try RunningFob(begin + [scratch.path("own"), "--key", file], in: scratch)
      labelled.interrupt()
      #expect(labelled.awaitEnd() == 0)
    }
  }
}
