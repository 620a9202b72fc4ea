import Emulator
import FobBase
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing
import Transport
import WireProtocol

@testable import Bridge

/// The one question to a port behind which anything may be.
@Suite struct KeychainInquiryTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  @Test func `a keychain answers HELLO, and names board and build`() throws {
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    var inquiry = try KeychainInquiry(path: folder.path("keychain"))
    let hello = try inquiry.hello(AlertBridge.software, within: .seconds(10))
    #expect(hello?.deviceID == .bench(1))
    let firmware = try inquiry.firmware(within: .seconds(10))
    #expect(firmware?.board == "fob keychain" && firmware?.build == AlertBridge.version)
    inquiry.end()
  }

  @Test func `what a keychain keeps is told, and is kept`() throws {
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    // What it said at its start, and that it has started.
    #expect(try keeping() != .press)
    _ = try keychain.press()
    for _ in 1...2 { #expect(try keeping() == .press) }
  }

  @Test func `a stranger's port gets one HELLO, and is given back with the mode that it had`()
    throws
  {
    let stranger = try PseudoTerminal()
    let path = stranger.slavePath
    let before = try Self.setMode(of: path)
    let answer = KeychainInquiry.answer(
      at: path, SerialSettings(baud: Microbit.baud), AlertBridge.software)
    #expect(answer == .silence)
    let after = try Self.mode(of: path)
    #expect(after.c_iflag == before.c_iflag && after.c_oflag == before.c_oflag)
    #expect(after.c_cflag == before.c_cflag && after.c_lflag == before.c_lflag)
    #expect(after.c_ospeed == before.c_ospeed && after.c_ispeed == before.c_ispeed)
    var heard = [UInt8](repeating: 0, count: 4_096)
    let count = read(stranger.master.number, &heard, heard.count)
    var decoder = FrameDecoder()
    var types: [UInt8] = []
    try heard.prefix(max(0, count)).withUnsafeBytes { bytes in
      var rest = bytes
      while let outcome = decoder.next(&rest) {
        try #require(outcome == .frame)
        types.append(decoder.withBody { $0[1] })
      }
    }
    #expect(types == [MessageType.hello.rawValue])
  }

  @Test func `a line that echoes is no keychain`() throws {
    let echo = try Echo(at: folder.path("echo"))
    defer { echo.stop() }
    let answer = KeychainInquiry.answer(
      at: folder.path("echo"), SerialSettings(), AlertBridge.software)
    #expect(answer == .silence)
  }

  @Test func `a line that never falls silent is no keychain, and is not listened to for ever`()
    throws
  {
    let flood = try Flood(at: folder.path("flood"))
    defer { flood.stop() }
    let answer = KeychainInquiry.answer(
      at: folder.path("flood"), SerialSettings(), AlertBridge.software)
    #expect(answer == .silence)
  }

  @Test func `a port that another has is not asked, and one that has gone is a failure`() throws {
    let stranger = try PseudoTerminal()
    let line = try SerialLine(path: stranger.slavePath)
    let held = KeychainInquiry.answer(
      at: stranger.slavePath, SerialSettings(), AlertBridge.software)
    guard case .failure(let failure) = held, failure.errno == EBUSY else {
      Issue.record("\(held)")
      return
    }
    _ = line.number
    guard
      case .failure = KeychainInquiry.answer(
        at: folder.path("gone"), SerialSettings(), AlertBridge.software)
    else {
      Issue.record("nothing is there")
      return
    }
  }

  private func keeping() throws -> KeychainInquiry.Keeping {
    var inquiry = try KeychainInquiry(path: folder.path("keychain"))
    _ = try #require(try inquiry.hello(AlertBridge.software, within: .seconds(10)))
    let keeping = try inquiry.keeping(within: .seconds(10))
    inquiry.end()
    return keeping
  }

  /// As a login's terminal, at another rate, with HUPCL.
  private static func setMode(of path: String) throws -> termios {
    let port = try Syscall.open(path, O_RDWR | O_NOCTTY)
    var mode = termios()
    try #require(tcgetattr(port.number, &mode) == 0)
    mode.c_iflag |= tcflag_t(ICRNL | IXON | BRKINT)
    mode.c_oflag |= tcflag_t(OPOST | ONLCR)
    mode.c_lflag |= tcflag_t(ICANON | ISIG | IEXTEN)
    mode.c_cflag |= tcflag_t(HUPCL | CSTOPB)
    cfsetspeed(&mode, speed_t(B19200))
    try #require(tcsetattr(port.number, TCSANOW, &mode) == 0)
    return try Self.mode(of: path)
  }

  private static func mode(of path: String) throws -> termios {
    let port = try Syscall.open(path, O_RDWR | O_NOCTTY)
    var mode = termios()
    try #require(tcgetattr(port.number, &mode) == 0)
    return mode
  }
}

/// A line whose other end says again all that it hears.
private final class Echo: Sendable {
  private let terminal: PseudoTerminal
  private let link: StableLink
  private let signal: EventSignal

  init(at path: String) throws {
    terminal = try PseudoTerminal()
    link = try StableLink(at: path, to: terminal.slavePath)
    signal = try EventSignal()
    BlockingThread.run(named: "echo") { [self] in serve() }
  }

  func stop() { signal.signal() }

  private func serve() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    guard (try? terminal.awaitOpening(cancel: signal.descriptor)) == true else { return }
    while true {
      try? Syscall.awaitEither(terminal.master.number, signal.descriptor)
      let count = read(terminal.master.number, &buffer, buffer.count)
      guard count > 0 else { return }
      _ = write(terminal.master.number, buffer, count)
    }
  }
}

/// A line whose other end says something at every moment.
private final class Flood: Sendable {
  private let terminal: PseudoTerminal
  private let link: StableLink
  private let signal: EventSignal
  private let isStopping = Atomic(false)

  init(at path: String) throws {
    terminal = try PseudoTerminal()
    link = try StableLink(at: path, to: terminal.slavePath)
    signal = try EventSignal()
    BlockingThread.run(named: "flood") { [self] in serve() }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    signal.signal()
  }

  private func serve() {
    let words = [UInt8](repeating: 0x55, count: 512)
    guard (try? terminal.awaitOpening(cancel: signal.descriptor)) == true else { return }
    while !isStopping.load(ordering: .acquiring) {
      var polled = pollfd(fd: terminal.master.number, events: Int16(POLLOUT), revents: 0)
      _ = try? Syscall.poll(&polled, count: 1, until: BootClock.now() + .seconds(1))
      _ = write(terminal.master.number, words, words.count)
    }
  }
}
