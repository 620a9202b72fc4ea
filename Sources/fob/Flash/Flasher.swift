import Bridge
import FobBase
import Glibc
import SerialIO
import Transport
import WireProtocol

/// Copies an image onto the drive of a micro:bit, and sees by its line that the keychain runs it.
///
/// Copying erases the whole chip, so the keychain is asked first for what it keeps. What is proved
/// at the end is that a keychain which has booted since the copy began answers with board and build
/// of the image.
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
  /// HELLO is said each 500 ms (PROTOCOL.md, 5.1). A keychain boots and answers within three.
  private static let hellos = 10

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
    let start = BootClock.now()
    do {
      try copy(to: file)
    } catch {
      _ = try formerComplaint()
      throw error
    }
    tell("copied    \(image.bytes.count) bytes to \(file)")
    try verify(since: start, after: former)
    return (file, former)
  }

  /// - Returns: the keychain's HELLO; nil where none answers, as on a board fresh from the shop.
  private func ask() throws -> Hello? {
    guard let path = port() else {
      throw Failure(
        .cannotOpen,
        "the serial port of the micro:bit at \(drive.path) is not there, so its keychain can be"
          + " asked neither what it keeps nor, with --forget, whether it runs: fob doctor says what"
          + " is missing; --device names a port")
    }
    var inquiry = try open(path)
    let answer = Result { () throws(IOFailure) -> (Hello, KeychainInquiry.Keeping)? in
      var hello: Hello?
      for _ in 1...Self.hellos where hello == nil {
        hello = try inquiry.hello(AlertBridge.software, within: .milliseconds(500))
      }
      guard let hello else { return nil }
      return (hello, try inquiry.keeping(within: .seconds(3)))
    }
    let isSilent = !inquiry.hasHeardSomething
    inquiry.end()
    guard let (hello, keeping) = try answer.get() else {
      guard isSilent || forgets else {
        throw Failure(
          .refused,
          "something at \(path) speaks and does not answer as a keychain, so what it keeps is not"
            + " known, and copying erases it: if it is no keychain, give --forget; if it is one,"
            + " plug it in again and repeat")
      }
      tell(
        "keychain  none answered HELLO at \(path) in \(Self.hellos / 2) s: what it may keep is not"
          + " known")
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
      throw Failure(line: error)
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

  /// - Parameters:
  ///   - start: of the copy, by the host's boot clock.
  ///   - former: who answered before it.
  private func verify(since start: Instant, after former: Hello?) throws {
    let deadline = BootClock.now() + patience
    while true {
      var answered: KeychainFirmware?
      var obstacle = "nothing that has booted since the copy was heard"
      do {
        answered = try answer(since: start, after: former)
      } catch let failure as IOFailure {
        obstacle = "\(failure)"
      }
      // Behind the answer: a board that has refused this image may boot the one before it.
      let complaint = try formerComplaint()
      if let answered {
        guard answered == image.firmware else {
          throw Failure(
            .ioError,
            "the keychain answers \(answered.board), build \(answered.build), and the image is"
              + " \(image.firmware.board), build \(image.firmware.build)")
        }
        return tell(
          "keychain  has booted since, and answers: \(answered.board), build \(answered.build)")
      }
      let next = BootClock.now() + Self.askEvery
      guard next < deadline else {
        throw Failure(
          .timedOut,
          "the keychain has not answered in \(patience.microseconds / 1_000_000) s after the copy:"
            + " \(obstacle)\(complaint); plug it in again, and copy once more")
      }
      var nothing = pollfd()
      _ = try? Syscall.poll(&nothing, count: 0, until: next)
    }
  }

  /// - Returns: what FAIL.TXT still says as before the copy, for the end of a sentence.
  /// - Throws: `Failure` where the board has said there since why it does not take the image.
  private func formerComplaint() throws(Failure) -> String {
    guard let complaint = drive.complaint else { return "" }
    guard complaint.isNew else {
      return "; the drive's FAIL.TXT says, as before the copy: \(complaint.text)"
    }
    throw Failure(
      .ioError,
      "the board has not taken the image, as FAIL.TXT on its drive says: \(complaint.text); plug it"
        + " in again, and copy once more")
  }

  /// - Returns: nil where nothing answers, or a boot that may be from before the copy.
  private func answer(since start: Instant, after former: Hello?) throws -> KeychainFirmware? {
    guard let path = port() else { return nil }
    var inquiry = try KeychainInquiry(path: path, settings: settings)
    let answer = Result { () throws(IOFailure) -> KeychainFirmware? in
      let hello = try inquiry.hello(AlertBridge.software, within: .seconds(1))
      guard let hello, hello.bootNonce != former?.bootNonce,
        let firmware = try inquiry.firmware(within: .seconds(1)),
        let uptime = try inquiry.uptime(within: .seconds(2)),
        uptime < UInt64(clamping: (BootClock.now() - start).microseconds)
      else { return nil }
      return firmware
    }
    inquiry.end()
    return try answer.get()
  }
}
