import Firmware
import FobBase
import WireProtocol

/// A board without a clock, a button and a battery of its own: the host says what they
/// say. Link, GPS receiver and store are the real ones.
struct LockstepBoard: Board {
  let deviceID: DeviceID
  let bootNonce: UInt32
  let resetCause: ResetCause
  /// Bytes that went to the host since the last mark.
  private(set) var sent: UInt16 = 0
  private var clock = Instant(microseconds: 0)
  private var isClosed: Bool
  private var edge: ButtonEdge?
  private var millivolts: UInt16
  private var store: StoreMemory

  /// Starts the hardware, and waits for the order to boot.
  init() {
    _ = SystemControl.takeResetCause()
    Hardware.start()
    store = StoreMemory()
    GrantPort.start()
    GrantPort.sayReady()
    let order = GrantPort.next()
    guard order.isBoot else { ResetMark.startOver() }
    deviceID = .bench(Identity.serial())
    bootNonce = UInt32(order.first) | UInt32(order.second) << 16
    resetCause = ResetCause(rawValue: UInt8(truncatingIfNeeded: order.third)) ?? .unknown
    isClosed = order.isClosed
    millivolts = order.millivolts
  }

  /// A millisecond passes.
  mutating func tick() { clock = clock + .milliseconds(1) }

  /// What `order` brings happens now. Bytes are waited for, so that none comes late.
  mutating func take(_ order: Order) {
    guard !order.isBoot else { ResetMark.startOver() }
    if order.isClosed != isClosed {
      isClosed = order.isClosed
      edge = ButtonEdge(closed: isClosed, at: clock)
    }
    millivolts = order.millivolts
    Interrupts.wait {
      LinkPort.received.count >= Int(order.second) && GPSPort.count >= Int(order.third)
    }
  }

  /// The store has its quiet moment here, between two orders.
  mutating func sayDone() {
    store.tidy()
    GrantPort.sayDone(sent)
    sent = 0
  }

  func now() -> Instant { clock }

  mutating func nextButtonEdge() -> ButtonEdge? {
    defer { edge = nil }
    return edge
  }

  func isButtonClosed() -> Bool { isClosed }
  func setLED(_ on: Bool) { Pins.setLight(on) }
  func setSounder(_ on: Bool) { Pins.setSpeaker(on) }
  func batteryMillivolts() -> UInt16? { millivolts }
  func nextGPSByte() -> UInt8? { GPSPort.next() }
  func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int { LinkPort.read(buffer) }

  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while count < bytes.count { count += LinkPort.send(bytes, from: count) }
    sent &+= UInt16(bytes.count)
    return count
  }

  func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    store.read(at: offset, buffer)
  }

  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    store.write(at: offset, bytes)
  }
}
