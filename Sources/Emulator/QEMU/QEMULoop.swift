import CLinux
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The loop of a board in QEMU: it relays bytes between the board's UARTs, the device transport and
/// the GPS receiver, moves the button, and publishes what line and light show.
final class QEMULoop: KeychainLoop {
  private static let bootPatience = Interval.seconds(10)

  let commandQueue: CommandQueue
  let configuration: EmulatorConfiguration
  let firmware: String
  let transport: any DeviceTransport
  let faulty: FaultyLine
  let eeprom: EEPROMFile
  private let ownRest: PollWaiter
  var button: SimulatedButton
  var battery: SimulatedBattery
  var gps: GPSFeed
  var finger: RandomFinger?
  var presses = PendingPresses()
  var goals = PendingGoals()
  var acked: [EventNumber] = []
  var isLinked = false
  var toldPercent: UInt8
  var powerReturns: Instant?
  var returnCause = ResetCause.powerOn

  /// Nil while there is no power.
  var board: LM3S6965?
  /// Why there is no power without a power cut; nil: no such reason.
  var death: String?
  var relay: UARTRelay
  var receiver = GPSWire()
  var observer = WireObserver()
  var events = SeenEvents()
  var light = LightTrace()
  var nextLight = 0
  var shown: LEDState?
  var heartbeat: Heartbeat?
  var position: PositionFix?
  /// The voltage at the terminals that QEMU was told last.
  var millivolts: UInt16 = 0
  /// The deadline for the first frame during `start()`; nil otherwise.
  private var firstWord: Instant?

  /// - Throws: `IOFailure` for the store, the GPS file or the link; EINVAL for a clock that drifts.
  init(
    _ configuration: EmulatorConfiguration, firmware: String, _ commandQueue: CommandQueue,
    _ rest: PollWaiter
  ) throws(IOFailure) {
    guard configuration.driftPPM == 0 else {
      throw IOFailure(
        "set the clock of", errno: EINVAL, path: "the board in QEMU",
        reason: "it is QEMU's own and does not drift; the simulated board's does")
    }
    let now = BootClock.now()
    gps = try GPSFeed(configuration.gps, at: now)
    ownRest = rest
    eeprom = try EEPROMFile(path: configuration.storePath)
    if let label = configuration.label { try eeprom.provision(label.key) }
    try eeprom.provision(serial: configuration.serial)
    transport = try configuration.makeTransport()
    self.commandQueue = commandQueue
    self.configuration = configuration
    self.firmware = firmware
    faulty = Self.line(to: transport, configuration, commandQueue)
    relay = UARTRelay(faulty)
    button = SimulatedButton(bounce: ContactBounce(seed: configuration.bounceSeed))
    battery = SimulatedBattery(percent: configuration.batteryPercent, at: now)
    finger = configuration.randomPresses.map { RandomFinger($0, at: now) }
    toldPercent = battery.percent(at: now)
    battery.drain(percentPerHour: configuration.drainPerHour, at: now)
  }

  /// - Throws: `IOFailure` where QEMU is missing or refuses the firmware, and ETIMEDOUT for one
  ///   that says nothing.
  func start() throws(IOFailure) {
    try powerOn(.powerOn)
    let deadline = BootClock.now() + Self.bootPatience
    firstWord = deadline
    while board != nil, !observer.hasSpoken, BootClock.now() < deadline, rest() { turn() }
    firstWord = nil
    guard !observer.hasSpoken else { return }
    board?.machine.kill()
    throw IOFailure(
      "boot", errno: ETIMEDOUT, path: firmware,
      reason: death ?? "it says nothing; is it the keychain's? make firmware builds that one")
  }

  /// A board that stops answering counts as dead.
  func serveFirmware(at now: Instant) {
    guard let board else { return }
    do throws(IOFailure) {
      try moveButton(of: board, at: now)
      try tellBattery(to: board, at: now)
      gps.advance(to: now)
      receiver.pass(&gps, to: board.machine.uarts[1], at: now)
      try relay.pass(
        board.machine, sent: { heard(fromBoard: $0) }, received: { heard(fromHost: $0) })
      tellLight(of: board)
      if let cause = board.takeOwnReset() { try restart(board, cause) }
      if let words = board.machine.lastWords { die("QEMU has died, \(words)") }
    } catch {
      die(error.description)
    }
  }

  func rest() -> Bool {
    var polled = [
      transport.polled(
        isPowered: isPowered, mayRead: relay.mayRead, waitsToWrite: relay.isWaitingForHost)
    ]
    if let board {
      polled += [
        pollfd(fd: transport.listenerDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: gps.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      polled += board.machine.descriptors.map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      if relay.isWaitingForBoard {
        polled.append(
          pollfd(
            fd: board.machine.uarts[0].descriptor, events: Int16(POLLOUT), revents: 0))
      }
    }
    return ownRest.rest(until: nextDue(), polling: polled)
  }

  private func nextDue() -> Instant? {
    var dues = [powerReturns, presses.nextDeadline, goals.nextDeadline, finger?.next, firstWord]
    if board != nil {
      dues += [
        gps.nextDue, receiver.nextDue, button.nextEdge, faulty.nextDue,
        battery.sagEnds(after: BootClock.now()),
      ]
    }
    return dues.compactMap { $0 }.min()
  }
}

/// The receiver's serial line at 9600 bit/s, the default of GPS modules. QEMU itself would hand
/// over an epoch at once, which no firmware must be ready for.
struct GPSWire {
  private static let chunk = 16
  /// The time of a chunk at ten bits a byte.
  private static let pace = Interval.microseconds(Int64(chunk) * 10_000_000 / 9_600)

  private var pending: [UInt8] = []
  /// When the line is free for the next bytes; nil while there are none.
  private(set) var nextDue: Instant?

  /// Sends what the line can carry by `now`.
  mutating func pass(_ gps: inout GPSFeed, to uart: QEMUSocket, at now: Instant) {
    if let nextDue, now < nextDue { return }
    while pending.count < Self.chunk, let byte = gps.nextByte() { pending.append(byte) }
    guard !pending.isEmpty else {
      nextDue = nil
      return
    }
    // A dead QEMU is noticed elsewhere.
    let taken = pending.withUnsafeBytes { (try? uart.write($0)) ?? 0 }
    pending.removeFirst(taken)
    nextDue = now + Self.pace
  }

  mutating func discard() {
    pending = []
    nextDue = nil
  }
}

/// The bytes of the EEPROM of a board in QEMU: a file, or memory that ends with the emulator.
///
/// QEMU opens it by our descriptor, so that it gets the very file that is locked. QEMU writes each
/// byte at once, and the kernel keeps the bytes when QEMU is killed.
struct EEPROMFile: ~Copyable {
  private static let serialCell = 8_176
  private let file: OwnedDescriptor

  /// - Parameter path: a file that is made if it is missing; nil keeps everything in memory.
  /// - Throws: `IOFailure`; EBUSY if another emulator holds the file, EINVAL if it has another
  ///   size than the EEPROM.
  init(path: String?) throws(IOFailure) {
    let size = LM3S6965.storeSize
    let file = try Self.open(path)
    let name = file.path
    let number = file.number
    guard try file.lockExclusively() else {
      throw IOFailure("use", errno: EBUSY, path: name, reason: "another emulator holds it")
    }
    let length = try Syscall.run("measure", name) { lseek(number, 0, SEEK_END) }
    guard length == 0 || length == size else {
      throw IOFailure(
        "use", errno: EINVAL, path: name,
        reason: "it is not a keychain's store, which has \(size) bytes and not \(length)")
    }
    try Syscall.run("make room in", name) { ftruncate(number, off_t(size)) }
    self.file = consume file
  }

  private static func open(_ path: String?) throws(IOFailure) -> OwnedDescriptor {
    if let path { return try Syscall.open(path, O_RDWR | O_CREAT, mode: 0o600) }
    return OwnedDescriptor(
      owning: try Syscall.run("create", "a file in memory") { clinux_memory_file() },
      path: "a file in memory")
  }

  var descriptor: Int32 { file.number }

  /// The name of the descriptor that QEMU inherits.
  var inheritedPath: String { "/dev/fd/\(file.number)" }

  /// Writes the serial into the cell that the firmware reads its identity from.
  func provision(serial: UInt32) throws(IOFailure) {
    try write(withUnsafeBytes(of: serial.littleEndian) { Array($0) }, at: Self.serialCell)
  }

  /// As of `BoardStore`.
  func provision(_ key: PairingKey) throws(IOFailure) {
    let number = file.number
    try FactoryKey.write(key, file.path) { image in
      pread(number, image.baseAddress, image.count, 0) == image.count
    } write: { image in
      pwrite(number, image.baseAddress, image.count, 0) == image.count
    }
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(IOFailure) {
    let number = file.number
    _ = try Syscall.run("write to", file.path) {
      bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
    }
  }
}

/// Relays bytes between a board's UART and the line to its host. QEMU never waits for a host: bytes
/// that the line does not take are kept, and lost beyond a bound, as in an adapter whose buffer is
/// full.
struct UARTRelay {
  /// The most bytes kept for a host that has stopped reading.
  static let maxKept = 65_536

  private let line: FaultyLine
  private var toHost: [UInt8] = []
  private var toBoard: [UInt8] = []

  init(_ line: FaultyLine) { self.line = line }

  /// Whether there is room for bytes of the host.
  var mayRead: Bool { toBoard.isEmpty && line.mayRead }
  /// Whether bytes wait for the line to take more.
  var isWaitingForHost: Bool { line.isWaitingForLine || !toHost.isEmpty && line.mayWrite }
  /// Whether bytes wait for the board's UART to take more.
  var isWaitingForBoard: Bool { !toBoard.isEmpty }

  /// Relays the bytes of both directions.
  /// - Parameters:
  ///   - sent: gets the bytes of the board, whether a host is present or not.
  ///   - received: gets the bytes for the board.
  mutating func pass(
    _ machine: QEMUMachine, sent: (UnsafeRawBufferPointer) -> Void,
    received: (UnsafeRawBufferPointer) -> Void
  ) throws(IOFailure) {
    machine.drain()
    let new = machine.read(uart: 0)
    new.withUnsafeBytes { sent($0) }
    toHost += new.prefix(max(0, Self.maxKept - toHost.count))
    line.flush()
    while !toHost.isEmpty, line.mayWrite {
      let count = toHost.withUnsafeBytes { line.write($0) }
      guard count > 0 else { break }
      toHost.removeFirst(count)
    }
    try feed(machine.uarts[0], received)
  }

  mutating func discard() {
    toHost = []
    toBoard = []
  }

  private mutating func feed(
    _ uart: QEMUSocket, _ received: (UnsafeRawBufferPointer) -> Void
  ) throws(IOFailure) {
    while true {
      if toBoard.isEmpty {
        var chunk = [UInt8](repeating: 0, count: SimulatedBoard.linkFIFO)
        let count = chunk.withUnsafeMutableBytes { line.read($0) }
        guard count > 0 else { return }
        toBoard = Array(chunk[..<count])
        toBoard.withUnsafeBytes { received($0) }
      }
      let rest = toBoard
      let taken = try rest.span.withUnsafeBytes { (bytes) throws(IOFailure) in
        try uart.write(bytes)
      }
      toBoard.removeFirst(taken)
      guard toBoard.isEmpty else { return }
    }
  }
}
