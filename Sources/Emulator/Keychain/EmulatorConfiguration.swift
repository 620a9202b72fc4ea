public import FobBase
import Glibc
public import SerialIO
public import WireProtocol

/// The configuration of one emulated keychain. It always has bench identity: its events cannot page
/// a person.
public struct EmulatorConfiguration: Hashable, Sendable {
  /// The board that the firmware runs on.
  public enum Board: Hashable, Sendable {
    /// The firmware in this process, on simulated parts.
    case simulated
    /// A board in QEMU, with the ELF file at this path on its processor.
    case qemu(QEMUBoardKind = .lm3s6965evb, firmware: String)
  }

  /// A board in QEMU starts only with a ``driftPPM`` of 0.
  public var board = Board.simulated
  /// The lower half of the device id. The keychains of a fleet differ in it.
  public var serial: UInt32
  /// The line for its host, the same at every plugging. Nil: a pty with a name in the temporary
  /// folder.
  public var line: DeviceSpec?
  /// The port of a USB bus that it is plugged into, in place of `line`; nil: it is no USB device.
  public var usb: USBPort?
  /// The file behind the event store, which outlives the process. Nil: memory.
  public var storePath: String?
  /// The label of a keychain that has its key from the factory: it is written to a blank store, and
  /// a store that was used must have it. Nil: it has no key to begin with.
  public var label: LabelCode?
  /// A control socket (JSON lines), at most 107 bytes. Nil: none.
  public var controlPath: String?
  /// The receiver on the board, which a command may change later.
  public var gps: GPSSource
  /// The charge at the start, 0 to 100; more counts as 100.
  public var batteryPercent: UInt8
  /// False: USB powers it, and nothing drains or sags. A board in QEMU starts only with true.
  public var hasBattery = true
  /// False: it has no receiver, now or later. A board in QEMU starts only with true.
  public var hasGPS = true
  /// Per cent of the battery's charge lost in an hour.
  public var drainPerHour: Int64
  /// Parts per million that the board's clock gains on the host's.
  public var driftPPM: Int32
  /// The seed of the contact's bounce. Nil: the contact does not bounce.
  public var bounceSeed: UInt64?
  /// Presses at random times, from the start on. Nil: none.
  public var randomPresses: RandomPresses?

  /// By default a simulated board on a pty, with its store in memory and a full battery. `linkPath`
  /// is short for a `line` that is a pty with this stable name; it is ignored if `line` is given.
  public init(
    serial: UInt32 = 1, line: DeviceSpec? = nil, linkPath: String? = nil, storePath: String? = nil,
    controlPath: String? = nil, gps: GPSSource = .none, batteryPercent: UInt8 = 100,
    drainPerHour: Int64 = 0, driftPPM: Int32 = 0, bounceSeed: UInt64? = 1,
    randomPresses: RandomPresses? = nil, board: Board = .simulated, usb: USBPort? = nil
  ) {
    self.serial = serial
    self.line = line ?? linkPath.map { DeviceSpec(pty: $0) }
    self.storePath = storePath
    self.controlPath = controlPath
    self.gps = gps
    self.batteryPercent = batteryPercent
    self.drainPerHour = drainPerHour
    self.driftPPM = driftPPM
    self.bounceSeed = bounceSeed
    self.randomPresses = randomPresses
    self.board = board
    self.usb = usb
  }

  /// A bench id with ``serial`` as its lower half.
  public var deviceID: DeviceID { .bench(serial) }

  /// The line that it really gets: `usb:` with its serial number, else `line`, else a pty under the
  /// name `$TMPDIR/fob-DEVICE-PID`.
  public var effectiveLine: DeviceSpec {
    if let usb { return usb.spec(serial: deviceID.text) }
    if let line { return line }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return DeviceSpec(
      pty: "\(folder.isEmpty ? "/tmp" : folder)/fob-\(deviceID.text)-\(getpid())")
  }

  func makeTransport() throws(IOFailure) -> any DeviceTransport {
    if let usb { return try USBTransport(usb, serial: deviceID.text) }
    return try effectiveLine.makeTransport()
  }

  /// The loop of a keychain with a thread of its own.
  func makeLoop(_ commandQueue: CommandQueue, _ rest: PollWaiter) throws(IOFailure)
    -> any KeychainLoop
  {
    switch board {
    case .simulated:
      try EmulatorLoop(self, commandQueue, transport: try makeTransport(), rest: rest)
    case .qemu(let kind, let firmware):
      try QEMULoop(self, on: kind, firmware: firmware, commandQueue, rest)
    }
  }
}
