import Firmware
import FobBase
import SerialIO
import WireProtocol

/// A keychain's hardware, made of the host's clock, a scripted finger and files.
struct SimulatedBoard: Board {
  /// What one poll of the firmware may read from the link: a small FIFO, as a USB endpoint's. More
  /// would let a burst of frames push entries out of the trace ring before anybody has seen them.
  static let linkFIFO = 256

  let deviceID: DeviceID
  private(set) var bootNonce: UInt32 = 0
  private(set) var resetCause = ResetCause.powerOn
  /// On the host's boot clock; the board's own clock begins here.
  private(set) var bootedAt: Instant
  var button: SimulatedButton
  var gps: GPSFeed
  var millivolts: UInt16
  private(set) var light = LightTrace()
  private(set) var sounder = false
  private let store: BoardStore
  private let line: BoardLine
  private var room = 0

  init(
    deviceID: DeviceID, button: SimulatedButton, gps: GPSFeed, millivolts: UInt16,
    store: BoardStore, line: BoardLine
  ) {
    self.deviceID = deviceID
    self.button = button
    self.gps = gps
    self.millivolts = millivolts
    self.store = store
    self.line = line
    bootedAt = BootClock.now()
  }

  /// Starts the board's clock over. What the finger did before goes unseen.
  mutating func boot(_ cause: ResetCause) {
    turnOff()
    resetCause = cause
    bootNonce = .random(in: 1 ... .max)
    bootedAt = BootClock.now()
    button.skip(to: bootedAt)
  }

  /// The outputs of a processor in reset, or without power.
  mutating func turnOff() {
    setLED(false)
    sounder = false
  }

  /// Opens the FIFO for the next poll.
  mutating func refillFIFO() { room = Self.linkFIFO }

  /// The last poll has read all that the FIFO let through; more may be waiting.
  var mayHaveMoreToRead: Bool { room == 0 }

  /// The host's boot clock at a moment of the board's.
  func hostInstant(_ deviceClock: UInt64) -> Instant {
    bootedAt + .microseconds(Int64(bitPattern: deviceClock))
  }

  func now() -> Instant { Instant(microseconds: (BootClock.now() - bootedAt).microseconds) }

  mutating func nextButtonEdge() -> ButtonEdge? {
    guard let edge = button.take(upTo: BootClock.now()) else { return nil }
    return ButtonEdge(
      closed: edge.closed, at: Instant(microseconds: (edge.at - bootedAt).microseconds))
  }

  /// As of the last edge taken, so that level and edges never disagree.
  func isButtonClosed() -> Bool { button.isClosed }

  mutating func setLED(_ on: Bool) { light.set(on, at: BootClock.now()) }
  mutating func setSounder(_ on: Bool) { sounder = on }
  func batteryMillivolts() -> UInt16 { millivolts }
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
