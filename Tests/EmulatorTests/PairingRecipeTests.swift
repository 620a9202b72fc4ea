import Emulator
import FobBase
import Foundation
import TestSupport
import Testing

/// What PROTOCOL.md shows of the sealed link in Python (15.5), as it stands there.
struct PairingRecipeTests {
  private func recipe() throws -> String {
    let file = Repository.root.appending(path: "firmware-protocol/PROTOCOL.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let chapter = try #require(text.range(of: "### 15.5 In Python"))
    let begin = try #require(
      text.range(of: "```python\n", range: chapter.upperBound..<text.endIndex))
    let end = try #require(text.range(of: "```", range: begin.upperBound..<text.endIndex))
    return String(text[begin.upperBound..<end.lowerBound])
  }

  private func run(_ folder: ScratchDirectory) throws -> (status: Int32, output: String) {
    let (status, output) = try Shell.run(
      "python3 '\(folder.path("recipe.py"))' '\(folder.path("keychain"))' 2>&1")
    return (status, String(decoding: output, as: UTF8.self))
  }

  @Test func `a stranger pairs a keychain and seals its light in under sixty lines`() throws {
    let program = try recipe()
    #expect(program.split(separator: "\n").count < 60)
    let folder = try ScratchDirectory()
    try Data(program.utf8).write(to: URL(filePath: folder.path("recipe.py")))
    let rig = try Rig(in: folder)
    let refused = try run(folder)
    #expect(refused.status != 0 && refused.output.contains("hold the button"), "\(refused.output)")
    _ = try rig.keychain.perform(.stick)
    _ = try rig.keychain.perform(.powerCut(.milliseconds(50)))
    try rig.wait(for: .ready)
    let done = try run(folder)
    #expect(done.output.hasPrefix("paired, proved, lit: "), "\(done.output)")
    #expect(done.status == 0)
    #expect(try rig.state().shown == "countdown")
  }
}
