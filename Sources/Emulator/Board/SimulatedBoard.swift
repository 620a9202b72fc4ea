import Firmware
import FobBase
import SerialIO
import WireProtocol

/// A keychain's hardware, simulated with the host's clock, a scripted finger and files.
struct SimulatedBoard: Board {
  /// The most bytes that one poll of the firmware reads from the link: a small FIFO, as a USB
  /// endpoint has. With more, a burst of frames would push entries out of the trace ring before the
  /// emulator has read them.
  static let linkFIFO = 256

  let deviceID: DeviceID
  private(set) var bootNonce: UInt32 = 0
  private(set) var resetCause = ResetCause.powerOn
  var clock: BoardClock
  var button: SimulatedButton
  var gps: GPSFeed
  var battery: SimulatedBattery
  /// False: USB powers it, and `battery` stands for that supply, which the firmware cannot read.
  let hasBattery: Bool
  let hasGPS: Bool
  private(set) var light = LightTrace()
  private(set) var sounder = false
  private let store: BoardStore
  private let line: BoardLine
  /// The host's boot clock, or a test's.
  private let hostNow: () -> Instant
  private var room = 0

  init(
    deviceID: DeviceID, button: SimulatedButton, gps: GPSFeed, battery: SimulatedBattery,
    hasBattery: Bool = true, hasGPS: Bool = true, driftPPM: Int32,
    store: BoardStore, line: BoardLine,
    hostNow: @escaping () -> Instant = BootClock.now
  ) {
    self.deviceID = deviceID
    self.button = button
    self.gps = gps
    self.battery = battery
    self.hasBattery = hasBattery
    self.hasGPS = hasGPS
    self.store = store
    self.line = line
    self.hostNow = hostNow
    clock = BoardClock(bootedAt: hostNow(), driftPPM: driftPPM)
  }

  /// Starts the board's clock at zero. The firmware does not see what the finger did before.
  mutating func boot(_ cause: ResetCause) {
    turnOff()
    resetCause = cause
    bootNonce = .random(in: 1 ... .max)
    let now = hostNow()
    clock = BoardClock(bootedAt: now, driftPPM: clock.driftPPM)
    button.skip(to: now)
  }

  /// The outputs of a processor in reset, or without power.
  mutating func turnOff() {
    setLED(false)
    sounder = false
  }

  /// Opens the FIFO for the next poll.
  mutating func refillFIFO() { room = Self.linkFIFO }

  /// Whether the last poll has filled the FIFO, so that more bytes may be waiting.
  var mayHaveMoreToRead: Bool { room == 0 }

  /// The host's instant for a stamp of the board's clock, in microseconds, now at the latest.
  func hostInstant(_ deviceClock: UInt64) -> Instant {
    let stamp = Instant(microseconds: Int64(bitPattern: deviceClock))
    return clock.hostInstant(ofStamp: stamp, by: hostNow())
  }

  /// The parts that are switched on.
  var load: SimulatedBattery.Load {
    SimulatedBattery.Load(gps: gps.isPresent, led: light.isOn, sounder: sounder)
  }

  func now() -> Instant { clock.reading(at: hostNow()) }

  mutating func nextButtonEdge() -> ButtonEdge? {
    guard let edge = button.take(upTo: hostNow()) else { return nil }
    return ButtonEdge(closed: edge.closed, at: clock.reading(at: edge.at))
  }

  /// As of the last edge taken, so that level and edges never disagree.
  func isButtonClosed() -> Bool { button.isClosed }

  mutating func setLED(_ on: Bool) { light.set(on, at: hostNow()) }
  mutating func setSounder(_ on: Bool) { sounder = on }
  func batteryMillivolts() -> UInt16? {
    hasBattery ? battery.terminals(under: load, at: hostNow()) : nil
  }
  mutating func nextGPSByte() -> UInt8? { gps.nextByte() }

  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let fitting = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(room, buffer.count)])
    guard !fitting.isEmpty else { return 0 }
    let count = line.read(fitting)
    room -= count
    return count
  }

  func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int { line.write(bytes) }

  func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    store.read(at: offset, buffer)
  }

  func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    store.write(at: offset, bytes)
  }
}
