import ArgumentParser
import Capture
import FobBase
import Foundation
import SerialIO
import Transport
import WireProtocol

/// `fob flash`: the keychain's firmware onto a micro:bit.
struct FlashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flash",
    abstract: "Copy the keychain's firmware onto a micro:bit, and wait for its answer.",
    discussion: """
      It finds the drive MICROBIT and the serial port of the same board, asks the keychain there \
      what it keeps, copies the image and flushes it, and waits until a keychain that has booted \
      since answers HELLO, and FW_INFO with the image's board and build. That is all that it \
      proves: the chip's flash is not read back. What the board writes into FAIL.TXT meanwhile \
      ends it at once, with 74.

      Copying erases the whole chip. Refused, with 77, are a keychain that still keeps a press or \
      is paired, and whatever speaks at the port and cannot be asked (unless --forget is given), a \
      drive that is no micro:bit's or is in maintenance mode, and an image for the other version \
      or that its chip would not start with. What says nothing for 5 s is taken for a board \
      without a keychain. pyocd flash -t nrf51 FILE (version 2: -t nrf52833) \
      writes the same image and leaves what is kept.
      """)

  @Argument(help: "microbit is version 1, microbit-v2 version 2.")
  var board: FlashBoard

  @Option(
    help: """
      Intel HEX file. (default: .build/firmware/fob-BOARD.hex, which make firmware builds, here or \
      in this fob's clone, else the package's)
      """,
    completion: .file())
  var image: String?

  @Option(
    help: "Folder where the board's drive is mounted. (default: the one micro:bit's that is)",
    completion: .directory)
  var drive: String?

  @Option(
    help: """
      The board's line, serial:PATH or pty:PATH. (default: the serial port with the drive's Unique \
      ID)
      """,
    completion: .deviceSpec, transform: DeviceSpec.option)
  var device: DeviceSpec?

  @Option(help: "How long the keychain may take to answer after the copy, in seconds, 1 to 600.")
  var seconds: Int64 = 30

  @Flag(
    help: """
      Copy even if a press or a key is kept, or may be. They will be lost. The port is needed all \
      the same.
      """)
  var forget = false

  @OptionGroup var output: JSONOption

  private struct Answer: Encodable {
    struct Firmware: Encodable {
      let board: String
      let build: String
    }

    /// Its path.
    let image: String
    /// What the keychain answers after the copy, as the image has it.
    let firmware: Firmware
    /// Where the drive is mounted, and the version and the four digits of its board.
    let drive: String
    let version: Int
    let board: String
    /// The copy on the drive, and its size in bytes.
    let file: String
    let bytes: Int
    /// Who answered before the copy; nil: nobody.
    let former: String?
  }

  func validate() throws {
    guard (1...600).contains(seconds) else {
      throw ValidationError("--seconds takes 1 to 600, not \(seconds)")
    }
    guard device?.kind.isTerminal ?? true else {
      throw ValidationError("--device takes serial:PATH or pty:PATH here")
    }
  }

  func run() throws {
    try output.begin()
    try Failure.mapped {
      let image = try FirmwareImage(path: image ?? FirmwareImage.standard(board), for: board)
      Self.say(
        "image     \(image.path): \(image.firmware.board), build \(image.firmware.build)")
      let drive = try drive.map { path throws(Failure) in try MicrobitDrive(at: path) } ?? mounted()
      Self.say(
        "drive     \(drive.path): a micro:bit of version \(drive.version.rawValue), board"
          + " \(drive.boardID)")
      let (port, settings) = line(of: drive)
      let copied = try Flasher(
        image: image, drive: drive, port: port, settings: settings, forgets: forget,
        patience: .seconds(seconds)
      ) { Self.say($0) }.flash()
      guard output.json else { return }
      let firmware = Answer.Firmware(board: image.firmware.board, build: image.firmware.build)
      try Terminal.json(
        Answer(
          image: image.path, firmware: firmware, drive: drive.path,
          version: drive.version.rawValue, board: drive.boardID, file: copied.file,
          bytes: image.bytes.count, former: copied.former?.deviceID.text))
    }
  }

  /// Names of boards, builds and folders are others' words.
  private static func say(_ line: String) { Terminal.line(PrintableText.of(line)) }

  private func mounted() throws(Failure) -> MicrobitDrive {
    let path = "/proc/self/mounts"
    guard let mounts = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure(.cannotOpen, "cannot read \(path): name the drive with --drive")
    }
    return try MicrobitDrive.mounted(in: mounts)
  }

  /// Of the drive's own board, wherever it is plugged in when it is asked.
  private func line(of drive: MicrobitDrive) -> (port: () -> String?, SerialSettings) {
    if let device, let path = device.path {
      guard case .serial(_, var settings) = device.kind else { return ({ path }, SerialSettings()) }
      settings.baud = settings.baud ?? Microbit.baud
      return ({ path }, settings)
    }
    return ({ drive.port(in: PortScan().ports()) }, SerialSettings(baud: Microbit.baud))
  }
}

extension MicrobitDrive {
  /// The serial port of the same board; nil where it is not there, or cannot be told from another.
  func port(in ports: [SerialPort]) -> String? {
    let own = ports.filter { port in
      guard let usb = port.usb, usb.microbit != nil, let serial = usb.serial else { return false }
      return isBoard(withSerial: serial)
    }
    return own.count == 1 ? own[0].path : nil
  }
}

extension DeviceSpec.Kind {
  fileprivate var isTerminal: Bool {
    switch self {
    case .pty, .serial: true
    case .unix, .tcp, .tty, .usb, .memory: false
    }
  }
}
