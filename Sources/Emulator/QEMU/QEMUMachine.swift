import Control
package import FobBase
import Glibc
package import SerialIO

/// QEMU with one board in it, from power-on to power-off, for one thread.
///
/// It starts stopped. Every call that waits has a deadline of 10 s, and drains all lines meanwhile:
/// a full UART socket would stop QEMU's main loop, and its monitor with it.
package final class QEMUMachine {
  /// The name of the program on PATH.
  package static let program = "qemu-system-arm"
  /// The Debian package that has ``program``.
  package static let debianPackage = "qemu-system-arm"
  static let patience = Interval.seconds(10)
  private static let maxLineSize = 1_048_576
  private static let maxEvents = 256
  private static let maxInterrupts = 4_096

  /// The running QEMU.
  package let process: QEMUProcess
  let uarts: [QEMUSocket]
  private let monitor: QEMUSocket
  private let pins: QEMUSocket
  private var monitorLines = LineSplitter(limit: maxLineSize)
  private var pinLines = LineSplitter(limit: maxLineSize)
  private var answers: [(message: QMPMessage, line: [UInt8])] = []
  private var pinAnswers: [QTestAnswer] = []
  private var events: [QMPEvent] = []
  private var interrupts: [QTestInterrupt] = []

  /// - Parameters:
  ///   - board: `-M` and what belongs to it, without lines, display and network.
  ///   - uarts: how many serial ports are connected to us.
  ///   - passing: descriptors that `board` names.
  /// - Throws: `IOFailure` where QEMU is not installed or refuses `board`; with what it printed.
  package init(
    board: [String], uarts: Int = 2, passing: [Int32] = []
  ) throws(IOFailure) {
    let path = try QEMUProcess.find(Self.program, package: Self.debianPackage)
    monitor = try QEMUSocket("QEMU's monitor")
    pins = try QEMUSocket("QEMU's qtest server")
    var sockets: [QEMUSocket] = []
    var words =
      board + [
        "-S", "-accel", "tcg", "-display", "none", "-monitor", "none", "-nodefaults", "-net",
        "none",
        "-no-user-config",
        "-chardev", "socket,id=monitor,fd=\(monitor.inherited)", "-mon",
        "chardev=monitor,mode=control",
        "-chardev", "socket,id=qtest,fd=\(pins.inherited)", "-qtest", "chardev:qtest", "-qtest-log",
        "none",
      ]
    for number in 0..<uarts {
      let socket = try QEMUSocket("UART\(number)")
      words += [
        "-chardev", "socket,id=uart\(number),fd=\(socket.inherited)", "-serial",
        "chardev:uart\(number)",
      ]
      sockets.append(socket)
    }
    self.uarts = sockets
    let lines = [monitor, pins] + sockets
    process = try QEMUProcess(
      path: path, arguments: words, passing: lines.map(\.inherited) + passing)
    for line in lines { line.letGoOfInherited() }
    while try nextAnswer("start").message.greeting == nil {}
    try tell("qmp_capabilities", QMPNothing(), "start")
    // Stops a guest that resets itself, so that we can set its pins before it runs again.
    try tell("set-action", QMPAction(reboot: "shutdown", shutdown: "pause"), "start")
  }

  /// Ends QEMU as if its power was cut.
  package func kill() { process.kill() }

  /// False once the end of QEMU is known.
  package var isRunning: Bool { process.end == nil }

  /// Why it ended, with the last two lines that it printed; nil while it runs.
  package var lastWords: String? {
    guard let end = process.end else { return nil }
    let said = process.output.split(whereSeparator: \.isNewline)
      .filter { !$0.contains("warning:") && !$0.hasPrefix("Timer with period zero") }.suffix(2)
      .joined(separator: "; ")
    return said.isEmpty ? "\(end)" : "\(end): \(said)"
  }

  // MARK: Lines

  /// The descriptors to poll for bytes and for QEMU's end; -1 for a line that has ended.
  package var descriptors: [Int32] {
    ([monitor, pins] + uarts).map { $0.hasEnded ? -1 : $0.descriptor } + [process.endedDescriptor]
  }

  /// Reads all lines, without waiting.
  package func drain() {
    for uart in uarts { uart.drain() }
    monitor.drain()
    pins.drain()
    monitorLines.append(monitor.take())
    while case .line(let line)? = monitorLines.next() { sort(line) }
    pinLines.append(pins.take())
    let now = BootClock.now()
    while case .line(let line)? = pinLines.next() {
      switch QTestAnswer(line, at: now) {
      case .interrupt(let interrupt):
        if interrupts.count < Self.maxInterrupts { interrupts.append(interrupt) }
      case let answer?: pinAnswers.append(answer)
      case nil: break
      }
    }
  }

  /// Takes QEMU's events since the last call, at most 256.
  package func takeEvents() -> [QMPEvent] {
    defer { events = [] }
    return events
  }

  /// Takes the changes of the intercepted lines since the last call, at most 4,096.
  package func takeInterrupts() -> [QTestInterrupt] {
    defer { interrupts = [] }
    return interrupts
  }

  /// Takes the bytes of a UART that were drained since the last call.
  package func read(uart number: Int) -> [UInt8] { uarts[number].take() }

  /// Sends all bytes to a UART's input, and waits for that.
  /// - Throws: `IOFailure`; ETIMEDOUT where the board does not read.
  package func write(_ bytes: [UInt8], uart number: Int) throws(IOFailure) {
    try send(bytes, to: uarts[number], "write to \(uarts[number].name) of")
  }

  // MARK: Monitor and pins

  /// Asks QEMU's monitor (QMP) and reads the answer's value.
  /// - Parameter operation: a verb for messages: `set the battery of`.
  func ask<Value: Decodable>(
    _ command: String, _ arguments: some Encodable, _ operation: String, as type: Value.Type
  ) throws(IOFailure) -> Value {
    guard
      let line = try? JSONLine.encode(QMPCommand(execute: command, arguments: arguments))
    else { throw failure(operation, "\(command) cannot be written as JSON") }
    try send(line + [0x0A], to: monitor, operation)
    let answer = try nextAnswer(operation)
    if let refusal = answer.message.refusal {
      throw failure(operation, "QEMU refuses \(command): \(refusal.desc)")
    }
    guard let value = try? JSONLine.decode(QMPMessage.Answer<Value>.self, from: answer.line) else {
      throw failure(operation, "QEMU's answer to \(command) cannot be read")
    }
    return value.value
  }

  func tell(
    _ command: String, _ arguments: some Encodable, _ operation: String
  ) throws(IOFailure) {
    _ = try ask(command, arguments, operation, as: QMPNothing.self)
  }

  /// Carries out a line of the human monitor and returns what it prints.
  package func human(_ line: String) throws(IOFailure) -> String {
    try ask("human-monitor-command", HumanCommand(line: line), "ask", as: String.self)
  }

  /// Carries out a command of the qtest server and returns the text behind its OK.
  @discardableResult
  package func pin(_ command: String, _ operation: String) throws(IOFailure) -> String {
    try send(Array("\(command)\n".utf8), to: pins, operation)
    try drain(operation) { !pinAnswers.isEmpty }
    switch pinAnswers.removeFirst() {
    case .done(let text): return text
    case .failed(let text): throw failure(operation, "QEMU refuses \"\(command)\": \(text)")
    case .interrupt: throw failure(operation, "QEMU answered \"\(command)\" with an interrupt")
    }
  }

  private func sort(_ line: [UInt8]) {
    guard let message = try? JSONLine.decode(QMPMessage.self, from: line) else { return }
    guard let event = message.event else { return answers.append((message, line)) }
    guard events.count < Self.maxEvents else { return }
    events.append(QMPEvent(name: event, reason: message.details?.reason))
  }

  private func nextAnswer(
    _ operation: String
  ) throws(IOFailure) -> (message: QMPMessage, line: [UInt8]) {
    try drain(operation) { !answers.isEmpty }
    return answers.removeFirst()
  }

  private func send(
    _ bytes: [UInt8], to socket: QEMUSocket, _ operation: String
  ) throws(IOFailure) {
    var sent = 0
    try drain(operation, writing: socket) { () throws(IOFailure) in
      do throws(IOFailure) {
        let rest = bytes[sent...]
        sent += try rest.span.withUnsafeBytes { (rest) throws(IOFailure) in
          try socket.write(rest)
        }
      } catch  where error.errno == EPIPE {
        throw self.death(operation)
      }
      return sent == bytes.count
    }
  }

  /// Drains all lines until `isSo`, for at most 10 s.
  func drain(
    _ operation: String, writing: QEMUSocket? = nil, _ isSo: () throws(IOFailure) -> Bool
  ) throws(IOFailure) {
    let deadline = BootClock.now() + Self.patience
    while true {
      drain()
      if try isSo() { return }
      if process.end != nil { throw death(operation) }
      guard BootClock.now() < deadline else {
        throw IOFailure(
          operation, errno: ETIMEDOUT, path: "the board in QEMU",
          reason: "QEMU (process \(process.pid)) has not answered for"
            + " \(Self.patience.microseconds / 1_000_000) s: end it and start again")
      }
      var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if let writing {
        polled.append(pollfd(fd: writing.descriptor, events: Int16(POLLOUT), revents: 0))
      }
      _ = try Syscall.poll(&polled, count: polled.count, until: deadline)
    }
  }

  func failure(_ operation: String, _ reason: String) -> IOFailure {
    IOFailure(operation, errno: EPROTO, path: "the board in QEMU", reason: reason)
  }

  private func death(_ operation: String) -> IOFailure {
    // A line ends a moment before its process does, so wait for that.
    var polled = pollfd(fd: process.endedDescriptor, events: Int16(POLLIN), revents: 0)
    _ = try? Syscall.poll(&polled, count: 1, until: BootClock.now() + .seconds(1))
    return IOFailure(
      operation, errno: ECONNRESET, path: "the board in QEMU",
      reason: "QEMU has died, \(lastWords ?? "and does not say why"); start it again")
  }
}

/// A text line of QEMU's qtest server.
enum QTestAnswer: Hashable {
  case done(String)
  case failed(String)
  case interrupt(QTestInterrupt)

  /// Nil for any other text line.
  init?(_ line: [UInt8], at now: Instant) {
    let text = String(decoding: line, as: UTF8.self)
    let words = text.split(separator: " ")
    switch words.first {
    case "OK": self = .done(text.dropFirst(3).description)
    case "FAIL": self = .failed(text.dropFirst(5).description)
    case "IRQ":
      guard words.count == 3, let line = Int(words[2]), ["raise", "lower"].contains(words[1])
      else { return nil }
      self = .interrupt(QTestInterrupt(line: line, isRaised: words[1] == "raise", at: now))
    default: return nil
    }
  }
}

/// A change of a line of the intercepted device.
package struct QTestInterrupt: Hashable, Sendable {
  /// The number of the line; on the GPIO port, of the pin.
  package let line: Int
  /// Whether the line went high.
  package let isRaised: Bool
  /// When it was read, on the host's CLOCK_BOOTTIME.
  package let at: Instant
}
