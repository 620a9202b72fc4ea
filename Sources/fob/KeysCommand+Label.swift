import AlertCore
import ArgumentParser
import Console
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// Files with the code of a label, which only their owner may read.
enum LabelFile {
  /// - Parameter place: a path, or a systemd credential's name.
  static func read(_ place: String) throws(Failure) -> LabelCode {
    do throws(IOFailure) {
      let text = try SecretFile.read(place).text ?? ""
      do throws(LabelCode.Refusal) {
        return try LabelCode(text)
      } catch {
        throw IOFailure(
          "read", errno: EINVAL, path: place, reason: "it is no label's code: \(error)")
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Makes a file that is not there yet.
  static func make(_ label: LabelCode, at path: String) throws(Failure) {
    do throws(IOFailure) {
      let file = try Syscall.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      let number = file.number
      let line = Array("\(label.text)\n".utf8)
      try Syscall.run("write", path) { Glibc.write(number, line, line.count) }
      try Syscall.run("write", path) { fsync(number) }
    } catch {
      throw Failure(error)
    }
  }
}

extension KeysCommand {
  struct Label: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the label of a keychain that has its key from the factory.",
      discussion: """
        The label's code has the keychain's id and its key, as text and as a QR code: whoever \
        reads it has the key. fob emulate --key takes the file, fob ctl pair --label-file too.
        """)

    @Option(
      name: .customLong("new"),
      help: ArgumentHelp(
        "Make the file first, with a new random key for this keychain: 16 hexadecimal digits.",
        valueName: "device"))
    var newDevice: String?

    @Argument(help: "File of mode 0600 with the code.", completion: .file())
    var file: String

    func validate() throws {
      if let newDevice, DeviceID(text: newDevice) == nil {
        throw ValidationError("--new takes a keychain's 16 hexadecimal digits")
      }
    }

    func run() throws {
      try Failure.mapped {
        let made = newDevice.flatMap { DeviceID(text: $0) }
        if let made {
          let key = PairingKey(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
          try LabelFile.make(LabelCode(key, of: made), at: file)
        }
        let label = try LabelFile.read(file)
        Terminal.line("keychain \(label.device.text)")
        Terminal.line(label.text)
        let (begin, end) = Terminal.hasColour ? ("\u{1B}[40;97m", "\u{1B}[0m") : ("", "")
        for line in try QRCode(label.scanned).lines { Terminal.line(begin + line + end) }
      }
    }
  }
}
