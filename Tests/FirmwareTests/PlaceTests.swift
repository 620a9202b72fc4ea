import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// What spares a processor memory must change nothing: the keychain made where it stays, and the
/// event read where it lies.
struct PlaceTests {
  @Test func `a keychain booted in zeroed memory says what one made on the stack says`() {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Keychain.memorySize, alignment: MemoryLayout<Keychain>.alignment)
    defer { memory.deallocate() }
    var boards = (BenchBoard(), BenchBoard())
    for boot in UInt32(1)...3 {
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: Keychain.memorySize)
      let inPlace = Keychain.boot(in: memory, &boards.0)
      var made = Keychain(booting: &boards.1)
      for ms in 0..<Int64(4_000) {
        Self.move(&boards.0, ms: ms)
        Self.move(&boards.1, ms: ms)
        #expect(inPlace.pointee.poll(&boards.0) == made.poll(&boards.1))
      }
      #expect(boards.0.fromDevice.count > 10)
      #expect(boards.0.fromDevice.map(\.bytes) == boards.1.fromDevice.map(\.bytes))
      #expect(boards.0.light.map(\.at) == boards.1.light.map(\.at))
      #expect(inPlace.pointee.unackedCount == made.unackedCount)
      boards.0.reset(.watchdog, nonce: boot)
      boards.1.reset(.watchdog, nonce: boot)
    }
  }

  private static func move(_ board: inout BenchBoard, ms: Int64) {
    board.clock = Instant(microseconds: ms * 1_000)
    board.setContact(closed: ms % 500 > 400)
    // A store that fails for a while, so that records are kept in memory.
    board.store.failsWrites = (1_000..<2_000).contains(ms)
  }

  @Test(arguments: [EventRecord.Flags.none, .atBoot, .merged])
  func `a stored record says of itself what the record says`(_ flags: EventRecord.Flags) {
    var record = EventRecord(
      EventIdentity(
        deviceID: .bench(3), number: EventNumber(boot: 7, n: 9), kind: .pressed,
        clock: 0x0102_0304_0506_0708, bootNonce: 0xA1B2_C3D4))
    record.flags = flags
    record.position.quality = .good
    record.position.satellites = 11
    if flags == .merged {
      record.firstCovered = EventNumber(boot: 7, n: 2)
      record.covered = 513
    }
    var stored = StoredRecord()
    stored.set(record)
    let (number, kind, isPress) = (stored.number, stored.kind, stored.isPress)
    #expect(number == record.identity.number)
    #expect(kind == .pressed)
    #expect(isPress)
    let (first, covered, crc) = (stored.firstCovered, stored.covered, stored.identityCRC)
    #expect(first == record.firstCovered)
    #expect(covered == record.covered)
    #expect(crc == record.identity.crc)

    stored.setCommitDelta(
      to: Instant(microseconds: Int64(record.identity.clock) + 20_001))
    record.commitDelta = 20_001
    let read = stored.record
    #expect(read == record)
    var (body, expected) = (FrameBody(), FrameBody())
    stored.write(to: &body)
    record.write(to: &expected)
    #expect(body.withBytes { Array($0) } == expected.withBytes { Array($0) })

    stored.seal()
    let wasSealed = stored.isSealed
    stored.flags.insert(.replayed)
    let isSealed = stored.isSealed
    #expect(wasSealed && !isSealed)
  }
}
