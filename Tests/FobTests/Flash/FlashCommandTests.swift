import FobBase
import Foundation
import SerialIO
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
    #expect(
      fob.output.hasSuffix("keychain  has booted since, and answers: fob keychain, build 0.1.0\n"))
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
    #expect(fob.output.contains("none answered HELLO at \(microbit.line) in 5 s: what it may keep"))
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

  /// Something that has to be left alone, and which words say so.
  struct Refusal: Sendable, CustomTestStringConvertible {
    var details = FakeMicrobit.details
    var runs = FakeMicrobit.Program.none
    var image = HexWriter.image()
    let words: String

    var testDescription: String { words }
  }

  @Test(
    arguments: [
      Refusal(
        details: "Unique ID: 0240000029164e45\n", words: "another board than a micro:bit, 0240"),
      Refusal(
        details: "Unique ID: 9904360258824e45\n",
        words: "drive of a micro:bit of version 2: take that of"),
      Refusal(
        details: "Unique ID: 9900000037024e45\nDAPLink Mode : Bootloader\n",
        words: "in maintenance mode"),
      Refusal(details: "holiday pictures\n", words: "is no drive of a micro:bit"),
      Refusal(
        image: HexWriter.image(board: "microbit-v2"), words: "is the image of microbit-v2, not"),
      Refusal(
        image: HexWriter.image(board: nil), words: "is not the keychain's firmware of a micro:bit"),
      Refusal(
        image: HexWriter.file([UInt8](repeating: 0xFF, count: 0x400)),
        words: "is blank where the vectors belong"),
      Refusal(
        image: HexWriter.image(stack: 0),
        words: "line 2 puts the stack at 00000000, outside of the RAM"),
      Refusal(
        image: String(HexWriter.image().dropLast(13)), words: "is no whole Intel HEX file"),
      Refusal(image: "", words: "is no whole Intel HEX file"),
      // HELLO is said again before a keychain is taken for none.
      Refusal(runs: .deafKeychain, words: "still keeps a press for its core"),
      Refusal(runs: .echo, words: "speaks and does not answer as a keychain"),
    ])
  func `what is no place for the image, no image, or may keep something is refused`(
    _ refusal: Refusal
  ) throws {
    let microbit = try FakeMicrobit(in: folder, details: refusal.details, runs: refusal.runs)
    let fob = try flash(microbit, image: refusal.image)
    #expect(fob.status == 77 && fob.output.contains(refusal.words), "\(fob.output)")
    #expect(microbit.images.isEmpty)
  }

  @Test func `what speaks and cannot be asked may be lost`() throws {
    let microbit = try FakeMicrobit(in: folder, runs: .echo)
    let lost = try flash(microbit, "--forget")
    #expect(lost.status == 0, "\(lost.output)")
  }

  @Test func `an image for version 2 is asked for by that board's name`() throws {
    let path = folder.path("image.hex")
    try Data(HexWriter.image(board: nil).utf8).write(to: URL(filePath: path))
    let failure = #expect(throws: Failure.self) { try FirmwareImage(path: path, for: .microbitV2) }
    #expect(failure?.text.hasSuffix("build it with make firmware BOARD=microbit-v2") == true)
  }

  @Test(arguments: [true, false])
  func `without a port nothing is copied, whatever may be lost`(forgets: Bool) throws {
    let microbit = try FakeMicrobit(in: folder, runs: .none)
    let path = folder.path("image.hex")
    try Data(HexWriter.image().utf8).write(to: URL(filePath: path))
    let flasher = Flasher(
      image: try FirmwareImage(path: path, for: .microbit),
      drive: try MicrobitDrive(at: microbit.drive), port: { nil }, settings: SerialSettings(),
      forgets: forgets, patience: .seconds(1), tell: { _ in })
    let failure = #expect(throws: Failure.self) { try flasher.flash() }
    #expect(failure?.status == .cannotOpen)
    #expect(
      failure?.text.contains("neither what it keeps nor, with --forget, whether it runs") == true)
    #expect(microbit.images.isEmpty)
  }

  @Test func `a line that is not there is said, with what lists those that are`() throws {
    let microbit = try FakeMicrobit(in: folder, runs: .none)
    let fob = try flash(microbit)
    #expect(fob.status == 66, "\(fob.output)")
    #expect(fob.output.contains("\(microbit.line): No such file or directory; fob devices lists"))
  }

  @Test func `what FAIL.TXT says since the copy ends it at once, whatever boots there`() throws {
    let microbit = try FakeMicrobit(in: folder, .complains)
    let fob = try flash(microbit, "--seconds", "600")
    #expect(fob.status == 74, "\(fob.output)")
    #expect(fob.output.contains("FAIL.TXT on its drive says: The interface firmware FAILED"))
    #expect(!fob.output.contains("has booted since"))
  }

  @Test(arguments: [(.boots, 0), (.ignores, 75)] as [(FakeMicrobit.Reaction, Int32)])
  func `what FAIL.TXT said before the copy is not said to be of the copy`(
    reaction: FakeMicrobit.Reaction, status: Int32
  ) throws {
    let microbit = try FakeMicrobit(in: folder, reaction)
    try Data("The transfer timed out.\r\n".utf8)
      .write(to: URL(filePath: microbit.drive + "/FAIL.TXT"))
    let fob = try flash(microbit, "--seconds", status == 0 ? "30" : "2")
    #expect(fob.status == status, "\(fob.output)")
    #expect(
      fob.output.contains("FAIL.TXT says, as before the copy: The transfer timed out.")
        == (status != 0), "\(fob.output)")
  }

  @Test(arguments: OtherFile.allCases)
  func `what is no regular file on the drive is not copied into`(other: OtherFile) throws {
    let microbit = try FakeMicrobit(in: folder)
    try other.make(at: microbit.drive + "/fob-microbit.hex")
    let fob = try flash(microbit)
    #expect(fob.status == 66, "\(fob.output)")
    #expect(fob.output.contains("fob-microbit.hex: it is no regular file"), "\(fob.output)")
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
