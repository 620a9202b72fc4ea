import Emulator
import Firmware
import FobBase
import WireProtocol

/// A board whose clock, contact, link, memory and receiver the world moves.
struct WorldBoard: Board {
  let deviceID: DeviceID
  private(set) var bootNonce: UInt32 = 0
  private(set) var resetCause = ResetCause.powerOn
  private(set) var clock: BoardClock
  private let driftPPM: Int32
  /// What the clock says at this turn.
  private var reading = Instant(microseconds: 0)
  var memory = FlashMemory()
  var millivolts: UInt16 = 4_000
  private(set) var isClosed = false
  private var edges: [ButtonEdge] = []
  private var nextEdge = 0
  private var arrived: [UInt8] = []
  private var read = 0
  private var heardGPS: [UInt8] = []
  private var nextGPS = 0
  /// For the line, at most `room` more.
  private(set) var sent: [UInt8] = []
  var room = 0

  init(_ deviceID: DeviceID, driftPPM: Int32) {
    self.deviceID = deviceID
    self.driftPPM = driftPPM
    clock = BoardClock(bootedAt: Instant(microseconds: 0), driftPPM: driftPPM)
  }

  // MARK: What the world does

  mutating func boot(_ cause: ResetCause, nonce: UInt32, at now: Instant) {
    resetCause = cause
    bootNonce = nonce
    clock = BoardClock(bootedAt: now, driftPPM: driftPPM)
    reading = Instant(microseconds: 0)
    edges.removeAll(keepingCapacity: true)
    nextEdge = 0
    arrived.removeAll(keepingCapacity: true)
    read = 0
    heardGPS.removeAll(keepingCapacity: true)
    nextGPS = 0
    sent.removeAll(keepingCapacity: true)
  }

  mutating func look(at now: Instant) { reading = clock.reading(at: now) }

  mutating func jumpClock(by interval: Interval, at now: Instant) {
    clock.jump(by: interval, at: now)
  }

  mutating func setContact(closed: Bool, seenAt now: Instant?) {
    isClosed = closed
    if let now { edges.append(ButtonEdge(closed: closed, at: clock.reading(at: now))) }
  }

  mutating func arrive(_ bytes: [UInt8]) { arrived += bytes }

  mutating func hearGPS(_ bytes: [UInt8]) {
    heardGPS.removeAll(keepingCapacity: true)
    nextGPS = 0
    heardGPS += bytes
  }

  mutating func clearSent() { sent.removeAll(keepingCapacity: true) }

  // MARK: Board

  func now() -> Instant { reading }

  mutating func nextButtonEdge() -> ButtonEdge? {
    guard nextEdge < edges.count else {
      if nextEdge > 0 {
        edges.removeAll(keepingCapacity: true)
        nextEdge = 0
      }
      return nil
    }
    nextEdge += 1
    return edges[nextEdge - 1]
  }

  func isButtonClosed() -> Bool { isClosed }
  func setLED(_ on: Bool) {}
  func setSounder(_ on: Bool) {}
  func batteryMillivolts() -> UInt16 { millivolts }

  mutating func nextGPSByte() -> UInt8? {
    guard nextGPS < heardGPS.count else { return nil }
    nextGPS += 1
    return heardGPS[nextGPS - 1]
  }

  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(arrived.count - read, buffer.count)
    guard count > 0 else { return 0 }
    arrived.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[read..<read + count]))
    }
    read += count
    if read == arrived.count {
      arrived.removeAll(keepingCapacity: true)
      read = 0
    }
    return count
  }

  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !memory.isCut else { return bytes.count }
    let count = min(bytes.count, room)
    room -= count
    sent.append(contentsOf: bytes[..<count])
    return count
  }

  func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    memory.read(at: offset, buffer)
  }

  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    memory.write(at: offset, bytes)
  }
}
