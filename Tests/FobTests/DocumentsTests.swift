import FobBase
import Foundation
import TestSupport
import Testing

/// The documents say what the program does. Their shell blocks are run, and what of the reference
/// the program can tell is compared with what it says now.
@Suite(.serialized) struct DocumentsTests {
  /// How to do something, step by step.
  static let played: [String] = {
    let folders = ["docs/tutorials", "docs/how-to"].flatMap { folder in
      let path = Repository.root.appending(path: folder).path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
    return ["README.md"] + folders
  }()

  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `there are documents to follow`() { #expect(Self.played.count >= 15) }

  @Test(arguments: played)
  func `each shell block of a document runs and prints what stands behind it, real processes`(
    document: String
  ) throws {
    let (status, said) = try script("documents.py", [RunningFob.binary, document])
    #expect(status == 0, "\(said)")
  }

  @Test func `an alarm receiver of others is told as its document has it, real processes`() throws {
    let python = URL(filePath: try AlarmReceiver.python.get())
    let (status, said) = try Shell.run(
      "cd '\(Repository.root.path)' && PATH='\(python.deletingLastPathComponent().path)':$PATH"
        + " scripts/documents.py --with receiver '\(RunningFob.binary)'"
        + " docs/how-to/alarm-receiver.md 2>&1")
    #expect(status == 0, "\(String(decoding: said, as: UTF8.self))")
  }

  @Test func `links lead somewhere, and what is not played here is run by a stage of make test`()
    throws
  {
    let (status, said) = try script("documents.py", ["--check"])
    #expect(status == 0, "\(said)")
  }

  @Test func `the reference is what the program says, real process`() throws {
    let (status, said) = try script("reference.py", [RunningFob.binary, "--check"])
    #expect(status == 0, "\(said)")
  }

  @Test(arguments: [
    ("```sh\ntrue\nfalse\n```\n", "ends with 1"),
    ("```sh\nfob ctl press --timeout 0.1\n```\n", "ends with 69"),
    ("```sh\necho one\n```\n\n```text\ntwo\n```\n", "two"),
    ("```sh\nprintf 'one\\ntwo\\n'\n```\n\n```text\ntwo\none\n```\n", "one"),
    ("```sh terminal=a\necho one\n```\n\n```text\ntwo\n```\n", "two"),
    ("```sh mood=good\ntrue\n```\n", "mood"),
  ])
  func `a block that fails, or prints something else, is named`(text: String, words: String) throws
  {
    let path = scratch.path("planted.md")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let (status, said) = try script("documents.py", [RunningFob.binary, path])
    #expect(status != 0 && said.contains("planted.md:1") && said.contains(words), "\(said)")
  }

  @Test func `a time, the number of a frame and what is left out may differ`() throws {
    let path = scratch.path("planted.md")
    let text = """
      ```sh
      printf '    0.125 s  link      keychain 8000000000000001 linked\\n'
      printf '  0.5  D→H  EVENT  #24  1.2, pressed, 87 %%\\n'
      ```

      ```text
          7.000 s  link      keychain … linked
        1.0  D→H  EVENT  #7  1.2, pressed, …
      ```

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let (status, said) = try script("documents.py", [RunningFob.binary, path])
    #expect(status == 0, "\(said)")
  }

  private func script(
    _ name: String, _ arguments: [String]
  ) throws -> (status: Int32, said: String) {
    let process = try RunningExample(
      Repository.root.path + "/scripts/" + name, arguments, in: scratch)
    return (try process.awaitEnd(within: .seconds(240)), process.output)
  }
}
