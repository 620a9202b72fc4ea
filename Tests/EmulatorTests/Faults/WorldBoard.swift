import Firmware
import FobBase
import WireProtocol

/// A board whose clock, contact and link the world moves.
struct WorldBoard: Board {
  let deviceID = DeviceID.bench(5)
  let bootNonce: UInt32 = 0x5EED
  let resetCause = ResetCause.powerOn
  /// Since boot.
  var clock = Instant(microseconds: 0)
  private var isClosed = false
  private var edges: [ButtonEdge] = []
  private var store = [UInt8](repeating: 0, count: Keychain.storeSize)
  /// What has arrived, a read each.
  var arrived: [[UInt8]] = []
  var sent: [UInt8] = []
  /// Bytes that the link still takes.
  var linkRoom = 0

  mutating func setContact(closed: Bool, at timestamp: Instant) {
    isClosed = closed
    edges.append(ButtonEdge(closed: closed, at: timestamp))
  }

  func now() -> Instant { clock }
  mutating func nextButtonEdge() -> ButtonEdge? { edges.isEmpty ? nil : edges.removeFirst() }
  func isButtonClosed() -> Bool { isClosed }
  func setLED(_ on: Bool) {}
  func setSounder(_ on: Bool) {}
  func batteryMillivolts() -> UInt16? { 4_000 }
  func nextGPSByte() -> UInt8? { nil }

  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let chunk = arrived.first else { return 0 }
    let count = min(chunk.count, buffer.count)
    buffer.copyBytes(from: chunk.prefix(count))
    arrived[0].removeFirst(count)
    if arrived[0].isEmpty { arrived.removeFirst() }
    return count
  }

  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = min(bytes.count, linkRoom)
    linkRoom -= count
    sent += bytes.prefix(count)
    return count
  }

  func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    buffer.copyBytes(from: store[offset..<offset + buffer.count])
    return true
  }

  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    store.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return true
  }
}
