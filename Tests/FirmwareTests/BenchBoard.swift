import Firmware
import FobBase
import WireProtocol

/// A board moved by hand: nothing on it happens by itself, and each of its parts can fail.
struct BenchBoard: Board {
  var deviceID = DeviceID.bench(1)
  var bootNonce: UInt32 = 41
  var resetCause = ResetCause.powerOn
  /// Since boot; a test moves it.
  var clock = Instant(microseconds: 0)

  private(set) var isClosed = false
  private var edges: [ButtonEdge] = []
  var millivolts: UInt16 = 3_900
  var hasBattery = true
  var hasGPS = true
  var gps: [UInt8] = []
  private(set) var isLit = false
  private(set) var sounds = false
  /// Each change of the light.
  private(set) var light: [(at: Instant, on: Bool)] = []

  var toDevice: [UInt8] = []
  /// What the link took, and when.
  private(set) var fromDevice: [(at: Instant, bytes: [UInt8])] = []
  /// How many bytes the link still takes.
  var linkRoom = Int.max

  var store = BenchStore()
  /// Writes to store and link in the order in which they were made.
  private(set) var writes: [Write] = []

  enum Write: Equatable { case store, link }

  mutating func setContact(closed: Bool) {
    guard closed != isClosed else { return }
    isClosed = closed
    edges.append(ButtonEdge(closed: closed, at: clock))
  }

  /// The contact as it is found at boot: no edge is told.
  mutating func resumeContact(closed: Bool) { isClosed = closed }

  /// What a reset does to the board: RAM and clock are lost, the store and the contact stay.
  mutating func reset(_ cause: ResetCause, nonce: UInt32) {
    var next = BenchBoard()
    next.deviceID = deviceID
    next.bootNonce = nonce
    next.resetCause = cause
    next.isClosed = isClosed
    next.millivolts = millivolts
    next.hasBattery = hasBattery
    next.hasGPS = hasGPS
    next.store = store
    next.store.restorePower()
    self = next
  }

  mutating func now() -> Instant { clock }
  mutating func nextButtonEdge() -> ButtonEdge? { edges.isEmpty ? nil : edges.removeFirst() }
  mutating func isButtonClosed() -> Bool { isClosed }
  mutating func setSounder(_ on: Bool) { sounds = on }
  mutating func batteryMillivolts() -> UInt16? { hasBattery ? millivolts : nil }
  mutating func nextGPSByte() -> UInt8? { gps.isEmpty ? nil : gps.removeFirst() }

  mutating func setLED(_ on: Bool) {
    if on != isLit { light.append((clock, on)) }
    isLit = on
  }

  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, toDevice.count)
    buffer.copyBytes(from: toDevice.prefix(count))
    toDevice.removeFirst(count)
    return count
  }

  /// Takes nothing when the power is gone.
  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !store.isPowerGone else { return bytes.count }
    let count = min(bytes.count, linkRoom)
    if linkRoom != .max { linkRoom -= count }
    guard count > 0 else { return 0 }
    fromDevice.append((clock, Array(bytes.prefix(count))))
    writes.append(.link)
    return count
  }

  mutating func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    store.read(at: offset, buffer)
  }

  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    writes.append(.store)
    return store.write(at: offset, bytes)
  }
}
