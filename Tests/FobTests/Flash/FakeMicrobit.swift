import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing
import WireProtocol

/// A micro:bit as its USB plug shows it: a folder for its drive and a pty for its port. An image
/// that was written to the end there erases the store and boots.
final class FakeMicrobit {
  let drive: String
  let line: String
  private let daplink: DAPLink
  private let thread: BlockingThread

  static let details = """
    # DAPLink Firmware - see https://mbed.com/daplink
    Unique ID: 9900000037024e45007320110000002100000000097969901
    HIC ID: 97969901
    Daplink Mode: Interface
    Interface Version: 0243

    """

  /// What is at its port before an image was copied.
  enum Program {
    case keychain
    /// As on a board fresh from the shop: the port is there, and silent.
    case silence
    /// A program of the owner's that says again all that it hears.
    case echo
    /// A keychain that hears the third HELLO first, and keeps a press.
    case deafKeychain
    /// The test itself puts something there.
    case none
  }

  /// What the board does with an image.
  enum Reaction {
    case boots
    /// Says in FAIL.TXT why it does not take it, and boots the one before it.
    case complains
    case ignores
  }

  init(
    in folder: ScratchDirectory, details: String = FakeMicrobit.details, runs: Program = .keychain,
    _ reaction: Reaction = .boots
  ) throws {
    let drive = folder.path("MICROBIT")
    self.drive = drive
    line = folder.path("port")
    try FileManager.default.createDirectory(atPath: drive, withIntermediateDirectories: true)
    try Data(details.utf8).write(to: URL(filePath: drive + "/DETAILS.TXT"))
    let daplink = try DAPLink(drive: drive, line: line, reaction)
    switch runs {
    case .keychain: try daplink.boot()
    case .silence: try daplink.run { _ in [] }
    case .echo: try daplink.run { $0 }
    case .deafKeychain:
      var keychain = DeafKeychain()
      try daplink.run { keychain.answer($0) }
    case .none: break
    }
    self.daplink = daplink
    thread = try BlockingThread(name: "daplink") { daplink.serve() }
  }

  deinit {
    daplink.stop.signal()
    _ = thread.join(within: .seconds(10))
    daplink.end()
  }

  /// Presses button A, and waits until the firmware has stored it.
  func press() throws {
    let keychain = try #require(daplink.keychain.withLock { $0 })
    _ = try keychain.perform(.press(hold: .milliseconds(30)))
  }

  /// What stands on the drive beside its own files.
  var images: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: drive)) ?? []
    return names.filter { $0.hasSuffix(".hex") }
  }
}

/// The board's debugger, on a thread of its own.
private final class DAPLink: Sendable {
  let keychain = Mutex<EmulatedKeychain?>(nil)
  let stop: EventSignal
  private let program = Mutex<AnsweringPort?>(nil)
  private let drive: String
  private let line: String
  private let reaction: FakeMicrobit.Reaction
  private let written: OwnedDescriptor

  init(drive: String, line: String, _ reaction: FakeMicrobit.Reaction) throws {
    self.drive = drive
    self.line = line
    self.reaction = reaction
    stop = try EventSignal()
    written = OwnedDescriptor(
      owning: inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), path: drive)
    try #require(inotify_add_watch(written.number, drive, UInt32(IN_CLOSE_WRITE)) >= 0)
  }

  /// Ends whatever runs.
  func end() {
    keychain.withLock { $0.take() }?.stop()
    program.withLock { $0.take() }?.stop()
  }

  /// Boots the keychain's firmware with an erased store.
  func boot() throws {
    end()
    let booted = try EmulatedKeychain(EmulatorConfiguration(linkPath: line, bounceSeed: nil))
    try booted.start()
    keychain.withLock { $0 = booted }
  }

  /// Runs another program than the keychain's.
  func run(_ answer: @escaping ([UInt8]) -> [UInt8]) throws {
    let port = try AnsweringPort(at: line, answer)
    program.withLock { $0 = port }
  }

  func serve() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      try? Syscall.awaitEither(written.number, stop.descriptor)
      let count = read(written.number, &buffer, buffer.count)
      guard count > 0 else { return }
      // inotify(7): the name stands at the end of each event, filled with zeros.
      guard String(decoding: buffer[..<count], as: UTF8.self).contains(".hex") else { continue }
      if reaction == .complains {
        try? Data("The interface firmware FAILED to reset/halt the target MCU\r\n".utf8)
          .write(to: URL(filePath: drive + "/FAIL.TXT"))
      }
      if reaction != .ignores { try? boot() }
    }
  }
}

/// What a keychain says that keeps one press, as far as `fob flash` listens.
private struct DeafKeychain {
  private var decoder = FrameDecoder()
  private var hellos = 0

  mutating func answer(_ bytes: [UInt8]) -> [UInt8] {
    var answers: [UInt8] = []
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while let outcome = decoder.next(&rest) {
        guard outcome == .frame else { continue }
        let asked = decoder.withBody { Hello(UnsafeRawBufferPointer(rebasing: $0[4...])) }
        guard let asked, asked.role == .host else { continue }
        hellos += 1
        if hellos == 3 { answers += Self.frames(to: asked.session) }
      }
    }
    return answers
  }

  private static func frames(to session: UInt32) -> [UInt8] {
    let software = SoftwareVersion(major: 0, minor: 1, patch: 0)
    var hello = Hello(role: .device, session: session, software: software)
    hello.oldestUnacked = EventNumber(rawValue: 1)
    var beat = Heartbeat()
    beat.unacked = 1
    var frames: [UInt8] = []
    for write in [hello.write(to:), beat.write(to:)] {
      var body = FrameBody(type: frames.isEmpty ? .hello : .heartbeat, sequence: 0)
      write(&body)
      frames += WireFrame(body).withBytes { Array($0) }
    }
    return frames
  }
}

/// A serial port under a name, behind which a program answers what it hears.
private final class AnsweringPort: Sendable {
  private let link: StableLink
  private let terminal: PseudoTerminal
  private let ended: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  init(at path: String, _ answer: @escaping ([UInt8]) -> [UInt8]) throws {
    terminal = try PseudoTerminal()
    link = try StableLink(at: path, to: terminal.slavePath)
    ended = try EventSignal()
    // Called on the program's thread alone.
    nonisolated(unsafe) let answer = answer
    let thread = try BlockingThread(name: "program") { [self] in serve(answer) }
    self.thread.withLock { $0 = thread }
  }

  func stop() {
    ended.signal()
    _ = thread.withLock { $0.take() }?.join(within: .seconds(10))
  }

  private func serve(_ answer: ([UInt8]) -> [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let port = terminal.master.number
    while (try? terminal.awaitOpening(cancel: ended.descriptor)) == true {
      try? Syscall.awaitEither(port, ended.descriptor)
      let count = read(port, &buffer, buffer.count)
      guard count > 0 else { continue }
      let answers = answer(Array(buffer[..<count]))
      _ = write(port, answers, answers.count)
    }
  }
}
