import Firmware
import FobBase
package import SerialIO
import WireProtocol

/// A firmware that carries out orders of lockstep: in this process, or in QEMU.
package protocol LockstepTarget {
  mutating func carryOut(_ order: LockstepOrder) throws(IOFailure) -> [UInt8]
}

/// The firmware in this process, on a board in memory.
package struct LockstepEmulator: LockstepTarget {
  private var board: LockstepBoard?
  private var keychain: Keychain?

  /// A board with an empty store; the first order must be a boot.
  package init() {}

  /// Carries out an order and returns the bytes that it sent to the host. A boot keeps the store.
  package mutating func carryOut(_ order: LockstepOrder) -> [UInt8] {
    switch order {
    case .boot(let boot):
      let store = board?.store ?? [UInt8](repeating: 0, count: LockstepBoard.storeSize)
      var board = LockstepBoard(boot, store: store)
      keychain = Keychain(booting: &board)
      self.board = board
    case .grant(let grant):
      for millisecond in 0..<grant.milliseconds {
        board?.tick()
        if millisecond == 0 { board?.take(grant) }
        poll()
      }
    }
    return board?.takeSent() ?? []
  }

  private mutating func poll() {
    precondition(board != nil, "the first order is a boot")
    _ = keychain?.poll(&board!)
  }
}

/// A board in memory that does nothing by itself, as the board of the lockstep firmware.
struct LockstepBoard: Board {
  static let storeSize = 8_192

  let deviceID = DeviceID.bench(1)
  let bootNonce: UInt32
  let resetCause: ResetCause
  private(set) var store: [UInt8]
  private var clock = Instant(microseconds: 0)
  private var isClosed: Bool
  private var edge: ButtonEdge?
  private var millivolts: UInt16
  private var link: [UInt8] = []
  private var gps: [UInt8] = []
  private var gpsTaken = 0
  private var sent: [UInt8] = []

  init(_ boot: LockstepBoot, store: [UInt8]) {
    bootNonce = boot.nonce
    resetCause = boot.cause
    isClosed = boot.isClosed
    millivolts = boot.millivolts
    self.store = store
  }

  /// Moves the clock on by a millisecond.
  mutating func tick() { clock = clock + .milliseconds(1) }

  mutating func take(_ grant: LockstepGrant) {
    if grant.isClosed != isClosed {
      isClosed = grant.isClosed
      edge = ButtonEdge(closed: isClosed, at: clock)
    }
    millivolts = grant.millivolts
    link += grant.link
    gps = grant.gps
    gpsTaken = 0
  }

  /// Takes the bytes that went to the host since the last call.
  mutating func takeSent() -> [UInt8] {
    defer { sent = [] }
    return sent
  }

  func now() -> Instant { clock }

  mutating func nextButtonEdge() -> ButtonEdge? {
    defer { edge = nil }
    return edge
  }

  func isButtonClosed() -> Bool { isClosed }
  func setLED(_ on: Bool) {}
  func setSounder(_ on: Bool) {}
  func batteryMillivolts() -> UInt16? { millivolts }

  mutating func nextGPSByte() -> UInt8? {
    guard gpsTaken < gps.count else { return nil }
    gpsTaken += 1
    return gps[gpsTaken - 1]
  }

  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, link.count)
    buffer.copyBytes(from: link.prefix(count))
    link.removeFirst(count)
    return count
  }

  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    sent += bytes
    return bytes.count
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
