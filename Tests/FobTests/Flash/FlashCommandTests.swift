import FobBase
import Foundation
import TestSupport
import Testing

@testable import fob

/// `fob flash` on a made-up micro:bit.
@Suite struct FlashCommandTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  @Test func `the image is copied whole, and the keychain answers with its build`() throws {
    let microbit = try FakeMicrobit(in: folder)
    let fob = try flash(microbit)
    #expect(fob.status == 0, "\(fob.output)")
    #expect(fob.output.contains("a micro:bit of version 1, board 9900"))
    #expect(fob.output.contains("keychain  8000000000000001 at \(microbit.line)"))
    #expect(fob.output.hasSuffix("keychain  answers: fob keychain, build 0.1.0\n"))
    #expect(microbit.images == ["fob-microbit.hex"])
    let copied = try String(contentsOfFile: microbit.drive + "/fob-microbit.hex", encoding: .utf8)
    #expect(copied == HexWriter.image())
  }

  @Test func `as JSON, standard output has what was copied, onto what and over whom`() throws {
    let microbit = try FakeMicrobit(in: folder)
    let fob = try flash(microbit, "--json")
    #expect(fob.status == 0, "\(fob.output)")
    let line = try #require(fob.output.split(separator: "\n").first { $0.hasPrefix("{") })
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(answer["file"] as? String == microbit.drive + "/fob-microbit.hex")
    #expect(answer["bytes"] as? Int == HexWriter.image().utf8.count)
    #expect(answer["board"] as? String == "9900" && answer["version"] as? Int == 1)
    #expect(answer["former"] as? String == "8000000000000001")
    let firmware = answer["firmware"] as? [String: String]
    #expect(firmware == ["board": "fob keychain", "build": "0.1.0"])
  }

  @Test func `a board from the shop has no keychain to ask, and gets one`() throws {
    let microbit = try FakeMicrobit(in: folder, runs: .silence)
    let fob = try flash(microbit)
    #expect(fob.status == 0, "\(fob.output)")
    #expect(fob.output.contains("none answers at"))
    #expect(fob.output.contains("answers: fob keychain"))
  }

  @Test func `a keychain that keeps a press is left alone, unless the press may be lost`() throws {
    let microbit = try FakeMicrobit(in: folder)
    try microbit.press()
    let refused = try flash(microbit)
    #expect(refused.status == 77, "\(refused.output)")
    #expect(refused.output.contains("still keeps a press for its core"))
    #expect(microbit.images.isEmpty)
    let lost = try flash(microbit, "--forget")
    #expect(lost.status == 0, "\(lost.output)")
    #expect(lost.output.contains("keeps a press"))
  }

  @Test func `a keychain that misses a question is asked again before it is erased`() throws {
    let microbit = try FakeMicrobit(in: folder, runs: .deafKeychain)
    let refused = try flash(microbit)
    #expect(refused.status == 77, "\(refused.output)")
    #expect(refused.output.contains("still keeps a press for its core"))
    #expect(microbit.images.isEmpty)
  }

  @Test func `what speaks and cannot be asked is not erased, unless it may be lost`() throws {
    let microbit = try FakeMicrobit(in: folder, runs: .echo)
    let refused = try flash(microbit)
    #expect(refused.status == 77, "\(refused.output)")
    #expect(refused.output.contains("speaks and does not answer as a keychain"))
    #expect(microbit.images.isEmpty)
    let lost = try flash(microbit, "--forget")
    #expect(lost.status == 0, "\(lost.output)")
  }

  @Test func `the key of a paired keychain is not erased`() throws {
    let label = folder.path("label")
    let made = try RunningFob(
      ["keys", "label", "--new", "8000000000000001", label], in: folder, awaitsReady: false)
    #expect(made.awaitEnd() == 0)
    let microbit = try FakeMicrobit(in: folder, runs: .none)
    let paired = try RunningFob(
      ["emulate", "--link", microbit.line, "--key", label], in: folder)
    let refused = try flash(microbit)
    #expect(refused.status == 77, "\(refused.output)")
    #expect(refused.output.contains("is paired, and copying erases its key"))
    #expect(microbit.images.isEmpty)
    paired.kill9()
  }

  @Test(
    arguments: [
      ("Unique ID: 0240000029164e45\n", "another board than a micro:bit, 0240"),
      ("Unique ID: 9904360258824e45\n", "drive of a micro:bit of version 2: take that of"),
      ("Unique ID: 9900000037024e45\nDaplink Mode: Bootloader\n", "in maintenance mode"),
      ("holiday pictures\n", "is no drive of a micro:bit"),
    ])
  func `a drive that is not of the image's board is refused`(details: String, words: String) throws
  {
    let microbit = try FakeMicrobit(in: folder, details: details)
    let fob = try flash(microbit)
    #expect(fob.status == 77 && fob.output.contains(words), "\(fob.output)")
    #expect(microbit.images.isEmpty)
  }

  @Test(
    arguments: [
      (HexWriter.image(board: "microbit-v2"), "is the image of microbit-v2, not microbit"),
      (HexWriter.image(board: nil), "is not the keychain's firmware"),
      (String(HexWriter.image().dropLast(13)), "is no whole Intel HEX file"),
      ("", "is no whole Intel HEX file"),
    ])
  func `an image that is another board's, no keychain's or half is refused`(
    image: String, words: String
  ) throws {
    let microbit = try FakeMicrobit(in: folder)
    let fob = try flash(microbit, image: image)
    #expect(fob.status == 77 && fob.output.contains(words), "\(fob.output)")
    #expect(microbit.images.isEmpty)
  }

  @Test func `a keychain that goes on as before has not got the image, and FAIL.TXT is quoted`()
    throws
  {
    let microbit = try FakeMicrobit(in: folder, takesImages: false)
    let fob = try flash(microbit, "--seconds", "2")
    #expect(fob.status == 75, "\(fob.output)")
    #expect(fob.output.contains("FAIL.TXT says: The interface firmware FAILED"))
  }

  @Test(arguments: OtherFile.allCases)
  func `what is no regular file on the drive is not copied into`(other: OtherFile) throws {
    let microbit = try FakeMicrobit(in: folder)
    try other.make(at: microbit.drive + "/fob-microbit.hex")
    let fob = try flash(microbit)
    #expect(fob.status == 66, "\(fob.output)")
    #expect(fob.output.contains("fob-microbit.hex: it is no regular file"), "\(fob.output)")
  }

  @Test func `an image that no micro:bit would start with is not copied`() throws {
    let microbit = try FakeMicrobit(in: folder)
    let fob = try flash(microbit, image: HexWriter.image(stack: 0))
    #expect(fob.status == 77, "\(fob.output)")
    #expect(fob.output.contains("line 2 puts the stack at 00000000, outside of the RAM"))
    #expect(microbit.images.isEmpty)
  }

  @Test func `no word of an image acts on the terminal`() throws {
    let microbit = try FakeMicrobit(in: folder)
    let fob = try flash(microbit, image: HexWriter.image(build: "1\u{1B}[2J\u{9B}1m\u{202E}"))
    #expect(fob.status == 74, "\(fob.output)")
    #expect(fob.output.contains(#"build 1\u{1b}[2J\u{9b}1m\u{202e}"#), "\(fob.output)")
    #expect(!fob.output.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) })
  }

  @Test func `a keychain that answers with another build is said`() throws {
    let microbit = try FakeMicrobit(in: folder)
    let fob = try flash(microbit, image: HexWriter.image(build: "9.9.9"))
    #expect(fob.status == 74, "\(fob.output)")
    #expect(fob.output.contains("answers fob keychain, build 0.1.0, and the image is"))
  }

  @Test func `a port that a bridge has is not asked, and nothing is copied`() throws {
    let microbit = try FakeMicrobit(in: folder)
    let bridge = try RunningFob(
      [
        "bridge", "--device", "pty:\(microbit.line)", "--state", folder.path("state"), "--control",
        folder.path("bridge.sock"),
      ], in: folder)
    try bridge.awaitOutput("linked")
    let fob = try flash(microbit)
    #expect(fob.status == 66, "\(fob.output)")
    #expect(fob.output.contains("another process holds it; stop it, as a bridge"))
    #expect(microbit.images.isEmpty)
  }

  private func flash(
    _ microbit: FakeMicrobit, _ options: String..., image: String = HexWriter.image()
  ) throws -> (status: Int32?, output: String) {
    let path = folder.path("image.hex")
    try Data(image.utf8).write(to: URL(filePath: path))
    let fob = try RunningFob(
      [
        "flash", "microbit", "--image", path, "--drive", microbit.drive, "--device",
        "pty:\(microbit.line)",
      ] + options, in: folder, awaitsReady: false)
    return (fob.awaitEnd(within: .seconds(60)), fob.output)
  }
}
