import Bridge
import FobBase
import Glibc
import SerialIO
import Transport
import WireProtocol

/// Copies an image onto the drive of a micro:bit, and sees by its line that the keychain runs it.
///
/// Copying erases the whole chip, so the keychain is asked first for what it keeps. A keychain that
/// answers afterwards in another boot, with board and build of the image, has it.
struct Flasher {
  let image: FirmwareImage
  let drive: MicrobitDrive
  /// Where the port is now; nil while it is not there. DAPLink may be plugged anew by a copy.
  let port: () -> String?
  let settings: SerialSettings
  /// What the keychain keeps may be lost.
  let forgets: Bool
  /// From the end of the copy to the answer of the keychain.
  let patience: Interval
  let tell: (String) -> Void

  private static let askEvery = Interval.milliseconds(200)

  /// - Returns: the copy on the drive, and the HELLO of who answered before; nil: nobody.
  /// - Throws: `Failure` where the drive is of another board, the keychain keeps a press or a key,
  ///   the copy fails, or the keychain does not answer as the image has it.
  func flash() throws -> (file: String, former: Hello?) {
    guard image.board.version == drive.version else {
      throw Failure(
        .refused,
        "\(image.path) is for \(image.board.rawValue), and \(drive.path) is the drive of a"
          + " micro:bit of version \(drive.version.rawValue): take that of"
          + " \(FlashBoard(drive.version).rawValue)")
    }
    let former = try ask()
    let file = "\(drive.path)/fob-\(image.board.rawValue).hex"
    try copy(to: file)
    tell("copied    \(image.bytes.count) bytes to \(file)")
    try verify(after: former)
    return (file, former)
  }

  /// - Returns: the keychain's HELLO; nil where none answers, as on a board fresh from the shop.
  private func ask() throws -> Hello? {
    guard let path = port() else {
      throw Failure(
        .cannotOpen,
        "the serial port of the micro:bit at \(drive.path) is not there, so its keychain cannot be"
          + " asked what it keeps: fob doctor says what is missing; --device names a port")
    }
    var inquiry = try open(path)
    let answer = Result { () throws(IOFailure) -> (Hello, KeychainInquiry.Keeping)? in
      let hello = try inquiry.hello(AlertBridge.software, within: KeychainInquiry.patience)
      guard let hello else { return nil }
      return (hello, try inquiry.keeping(within: .seconds(3)))
    }
    inquiry.end()
    guard let (hello, keeping) = try answer.get() else {
      tell("keychain  none answers at \(path): nothing is known to be kept")
      return nil
    }
    let isPaired = hello.capabilities & Hello.isPaired != 0
    tell(
      "keychain  \(hello.deviceID.text) at \(path)"
        + (keeping == .press ? ", keeps a press" : "") + (isPaired ? ", paired" : ""))
    guard !forgets else { return hello }
    guard keeping != .press else {
      throw Failure(
        .refused,
        "the keychain \(hello.deviceID.text) still keeps a press for its core, and copying erases"
          + " it: connect it to that first, or give --forget and lose it")
    }
    guard !isPaired else {
      throw Failure(
        .refused,
        "the keychain \(hello.deviceID.text) is paired, and copying erases its key: un-pair it"
          + " first at its core by fob ctl unpair, give --forget and pair it again, or use pyocd,"
          + " which leaves its store alone")
    }
    return hello
  }

  private func open(_ path: String) throws(Failure) -> KeychainInquiry {
    do {
      return try KeychainInquiry(path: path, settings: settings)
    } catch {
      let hint =
        switch error.errno {
        case EBUSY: "; stop it, as a bridge that has the keychain, so that this can be asked"
        case EACCES: PortUser.current.refusal(of: path).map { "; \($0)" } ?? ""
        default: ""
        }
      throw Failure(.cannotOpen, "\(error)\(hint)")
    }
  }

  /// Writes to the end and flushes it: a drive that is pulled out before that has half an image.
  private func copy(to path: String) throws(IOFailure) {
    let file = try RegularFile.create(path)
    let number = file.number
    var rest = image.bytes[...]
    while !rest.isEmpty {
      let count = try Syscall.run("write", path) {
        rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
    try Syscall.run("write", path) { fsync(number) }
  }

  private func verify(after former: Hello?) throws {
    let deadline = BootClock.now() + patience
    var obstacle = "nothing was heard"
    while BootClock.now() < deadline {
      do {
        if let answered = try answer(after: former) {
          guard answered == image.firmware else {
            throw Failure(
              .ioError,
              "the keychain answers \(answered.board), build \(answered.build), and the image is"
                + " \(image.firmware.board), build \(image.firmware.build)")
          }
          tell("keychain  answers: \(answered.board), build \(answered.build)")
          return
        }
        obstacle = "nothing that runs the image was heard"
      } catch let failure as IOFailure {
        obstacle = "\(failure)"
      }
      var nothing = pollfd()
      _ = try? Syscall.poll(
        &nothing, count: 0, until: min(deadline, BootClock.now() + Self.askEvery))
    }
    let complaint = drive.complaint.map { "; the drive's FAIL.TXT says: \($0)" } ?? ""
    throw Failure(
      .timedOut,
      "the keychain has not answered in \(patience.microseconds / 1_000_000) s after the copy:"
        + " \(obstacle)\(complaint); plug it in again, and copy once more")
  }

  /// - Returns: nil where nothing answers, or still the boot from before the copy.
  private func answer(after former: Hello?) throws -> KeychainFirmware? {
    guard let path = port() else { return nil }
    var inquiry = try KeychainInquiry(path: path, settings: settings)
    let answer = Result { () throws(IOFailure) -> KeychainFirmware? in
      let hello = try inquiry.hello(AlertBridge.software, within: .seconds(1))
      guard let hello, hello.bootNonce != former?.bootNonce else { return nil }
      return try inquiry.firmware(within: .seconds(1))
    }
    inquiry.end()
    return try answer.get()
  }
}
