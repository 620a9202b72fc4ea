import Emulator
import Firmware
import FobBase
import Judge
import WireProtocol

/// A board whose clock, contact, link, memory and receiver the world moves.
struct WorldBoard: Board {
  let deviceID: DeviceID
  private(set) var bootNonce: UInt32 = 0
  private(set) var resetCause = ResetCause.powerOn
  private(set) var clock: BoardClock
  private let driftPPM: Int32
  /// It has neither a battery nor a receiver.
  private let isBare: Bool
  /// The clock's reading in this turn.
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
  /// Bytes for the line; at most `room` more fit.
  private(set) var sent: [UInt8] = []
  var room = 0

  init(_ deviceID: DeviceID, driftPPM: Int32, isBare: Bool) {
    self.deviceID = deviceID
    self.isBare = isBare
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
  func batteryMillivolts() -> UInt16? { isBare ? nil : millivolts }
  var hasGPS: Bool { !isBare }

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

/// A board's non-volatile memory. Power may go in the middle of a write, writes may fail, and it
/// may claim to have stored what it has not.
struct FlashMemory {
  private var bytes = [UInt8](repeating: 0, count: Keychain.storeSize)
  var isFailing = false
  /// While true, writes are not really kept: they are undone when the power goes.
  var isForgetful = false { didSet { if !isForgetful { undo = [] } } }
  private var undo: [(offset: Int, old: [UInt8])] = []
  /// How many bytes are written before the power goes; nil: it stays.
  var bytesUntilCut: Int?
  /// The power went in the middle of a write: nothing that the board still does in this turn
  /// happens.
  private(set) var isCut = false
  /// Events that were completely written since the world last looked.
  var written: [EventRecord] = []

  func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !isFailing else { return false }
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + buffer.count]))
    }
    return true
  }

  mutating func write(at offset: Int, _ source: UnsafeRawBufferPointer) -> Bool {
    guard !isCut else { return true }
    guard !isFailing else { return false }
    let count = min(source.count, bytesUntilCut ?? source.count)
    if isForgetful { undo.append((offset, Array(bytes[offset..<offset + count]))) }
    bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
    }
    if let left = bytesUntilCut { bytesUntilCut = left - count }
    guard count == source.count else {
      isCut = true
      return true
    }
    if let record = Self.record(source) { written.append(record) }
    return true
  }

  /// The power goes: writes that were not really kept are undone.
  /// - Returns: the events that it had claimed to have.
  mutating func losePower() -> [EventIdentity] {
    var lost: [EventIdentity] = []
    for write in undo.reversed() {
      let end = write.offset + write.old.count
      let slot = bytes[write.offset..<end]
      if let record = slot.withUnsafeBytes({ Self.record($0) }) { lost.append(record.identity) }
      bytes.replaceSubrange(write.offset..<end, with: write.old)
    }
    undo = []
    isCut = false
    bytesUntilCut = nil
    return lost
  }

  /// Destroys both copies of the boot counter, and no key.
  mutating func loseBootCounter() {
    for index in 0..<32 { bytes[index] = index % 2 == 0 ? 0xA5 : 0 }
  }

  /// Has this key from the factory.
  mutating func pair(_ key: PairingKey) {
    bytes.withUnsafeMutableBytes { Keychain.pair($0, with: key) }
  }

  /// A slot of the firmware's store: an EVENT payload of 64 bytes and its CRC.
  private static func record(_ slot: UnsafeRawBufferPointer) -> EventRecord? {
    guard slot.count == EventRecord.maxSize + 4 else { return nil }
    let payload = UnsafeRawBufferPointer(rebasing: slot[..<EventRecord.maxSize])
    guard let record = EventRecord(payload), record.identity.number != .none else { return nil }
    return record
  }
}
