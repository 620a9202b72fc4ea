package import Emulator
package import Firmware
package import FobBase
package import WireProtocol

/// A board whose clock, contact, link, memory and receiver a ``MemoryRig`` moves.
package struct VirtualBoard: Board {
  package var deviceID: DeviceID
  package var bootNonce: UInt32 = 0
  package var resetCause = ResetCause.powerOn
  package var clock: BoardClock
  /// On the rig's clock; the board's own is read through `clock`.
  package var hostNow: Instant
  package var store = [UInt8](repeating: 0, count: Keychain.storeSize)
  package var storeFails = false
  /// Writes below this offset are lost, and said to be done: 0 in every honest board.
  package var storeForgetsBelow = 0
  package var millivolts: UInt16 = 4_000
  package var isClosed = false
  /// An honest board tells of a contact that is closed at boot.
  package var hidesContactUntilOpen = false
  private var edges: [ButtonEdge] = []
  /// The receiver's bytes, and which of them the board has read.
  package var gps: [UInt8] = []
  package var toDevice: [UInt8] = []
  package var fromDevice: [UInt8] = []
  package private(set) var isLit = false
  package private(set) var light: [LightEdge] = []

  init(_ deviceID: DeviceID, at now: Instant) {
    self.deviceID = deviceID
    hostNow = now
    clock = BoardClock(bootedAt: now, driftPPM: 0)
  }

  mutating func boot(_ cause: ResetCause, nonce: UInt32, at now: Instant) {
    resetCause = cause
    bootNonce = nonce
    hostNow = now
    clock = BoardClock(bootedAt: now, driftPPM: 0)
    turnOff()
  }

  /// The outputs of a processor in reset, and what its memory held.
  mutating func turnOff() {
    setLED(false)
    edges = []
    gps = []
    toDevice = []
    fromDevice = []
  }

  /// - Parameter isSeen: the board has power, and notices the edge.
  mutating func setContact(closed: Bool, isSeen: Bool) {
    guard closed != isClosed else { return }
    isClosed = closed
    if !closed { hidesContactUntilOpen = false }
    guard isSeen, !hidesContactUntilOpen else { return }
    edges.append(ButtonEdge(closed: closed, at: clock.reading(at: hostNow)))
  }

  mutating func forgetLight() { light = [] }

  package func now() -> Instant { clock.reading(at: hostNow) }
  package mutating func nextButtonEdge() -> ButtonEdge? {
    edges.isEmpty ? nil : edges.removeFirst()
  }
  package func isButtonClosed() -> Bool { isClosed && !hidesContactUntilOpen }

  package mutating func setLED(_ on: Bool) {
    if on != isLit { light.append(LightEdge(isOn: on, at: hostNow)) }
    isLit = on
  }

  package func setSounder(_ on: Bool) {}
  package func batteryMillivolts() -> UInt16 { millivolts }
  package mutating func nextGPSByte() -> UInt8? { gps.isEmpty ? nil : gps.removeFirst() }

  package mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, toDevice.count)
    buffer.copyBytes(from: toDevice.prefix(count))
    toDevice.removeFirst(count)
    return count
  }

  package mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    fromDevice += bytes
    return bytes.count
  }

  package func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !storeFails, offset >= 0, offset + buffer.count <= store.count else { return false }
    buffer.copyBytes(from: store[offset..<offset + buffer.count])
    return true
  }

  package mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !storeFails, offset >= 0, offset + bytes.count <= store.count else { return false }
    if offset >= storeForgetsBelow {
      store.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    return true
  }
}
