import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing
import Transport

@Suite struct BulkPipeTests {
  @Test func `all transfers from the device are in flight from the start`() {
    var world = PipeWorld(seed: 1)
    world.settle()
    #expect(world.incoming == Array(0..<BulkPipe.incoming))
    #expect(world.outgoing == nil && world.pipe.nextWake == nil)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `frames arrive whole and in order through stalls and failures, while it lasts`(
    seed: UInt64
  ) {
    var world = PipeWorld(seed: seed)
    world.settle()
    for number in 0..<400 {
      switch Int.random(in: 0..<12, using: &world.random) {
      case 0...3:
        let length = Int.random(in: 1...256, using: &world.random)
        world.send([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length))
      case 4...6: world.answer(.done)
      case 7...8: world.take(0, .done)
      case 9:
        let part = Int.random(in: 0...200, using: &world.random)
        world.take(part, [.stalled, .failed].randomElement(using: &world.random)!)
      case 10:
        let bad: [BulkResult] = [.stalled, .failed, .overflowed, .cancelled]
        world.answer(bad.randomElement(using: &world.random)!)
      default: world.giveBack()
      }
      world.now = world.now + .milliseconds(Int64.random(in: 0...40, using: &world.random))
      world.settle()
    }
    let refused = world.refused
    #expect(world.pipe.droppedFrames == refused)
    let isInOrder = world.accepted.starts(with: world.taken)
    #expect(isInOrder, "whatever was taken is whole and in order")
    #expect(world.came == Array(0..<world.came.count))
    guard world.pipe.end == nil else { return }
    finish(&world)
    let isAll = world.taken == world.accepted
    #expect(isAll, "and all of it arrives in the end")
  }

  /// A device that works again.
  private func finish(_ world: inout PipeWorld) {
    world.isWell = true
    for _ in 0..<200 {
      world.giveBack()
      world.take(0, .done)
      world.now = world.now + .seconds(1)
      world.settle()
    }
  }

  @Test func `a device that never takes a frame fills the buffer, and further ones are counted`() {
    var world = PipeWorld(seed: 1)
    world.settle()
    for _ in 0..<100 { world.send([UInt8](repeating: 7, count: 200)) }
    let room = Limits.hostTransmitBuffer / 200
    #expect(world.pipe.droppedFrames == UInt64(100 - room))
    #expect(world.outgoing?.count == 200, "the first is in flight, the rest waits behind it")
    world.take(0, .done)
    world.settle()
    #expect(world.outgoing?.count == (room - 1) * 200, "all that waits goes out together")
  }

  @Test(arguments: [1, 63, 64, 65, 128, 256, 4_096])
  func `a packet of none follows what ends with a full one`(count: Int) {
    var pipe = BulkPipe(packet: 64)
    let frame = [UInt8](repeating: 1, count: count)
    let isTaken = frame.withUnsafeBytes { pipe.send($0) }
    let next = pipe.nextOutgoing(at: Instant(microseconds: 0))
    #expect(isTaken && next == .outgoing(count, zeroPacket: count % 64 == 0))
  }

  @Test(arguments: [BulkResult.failed, .overflowed, .stalled])
  func `a device that fails for ever ends the line after less than a second`(result: BulkResult) {
    var world = PipeWorld(seed: 2)
    let began = world.now
    world.settle()
    while world.pipe.end == nil, world.now - began < .seconds(60) {
      world.answer(result)
      world.giveBack()
      world.settle()
      if let wake = world.pipe.nextWake { world.now = wake }
      world.settle()
    }
    let end = world.pipe.end
    #expect(end == .failed(result) || (result == .stalled && end == .failed(.failed)))
    #expect(world.now - began < .seconds(1))
    #expect(world.submissions <= 2 * BulkPipe.incoming * 7)
  }

  @Test func `an unplugged device ends the line at once`() {
    var world = PipeWorld(seed: 3)
    world.settle()
    world.send([1, 2, 3])
    world.answer(.gone)
    #expect(world.pipe.end == .hungUp)
    while !world.incoming.isEmpty { world.answer(.gone) }
    world.take(0, .gone)
    #expect(world.pipe.isDone == true)
    world.send([1])
    #expect(world.outgoing == nil, "nothing is begun")
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `a stop cancels each transfer once, and is done when all are back`(seed: UInt64) {
    var world = PipeWorld(seed: seed)
    world.settle()
    if Bool.random(using: &world.random) { world.send([1]) }
    for _ in 0..<Int.random(in: 0...8, using: &world.random) {
      world.answer([.done, .stalled, .failed].randomElement(using: &world.random)!)
      if Bool.random(using: &world.random) { world.settle() }
    }
    world.pipe.finish(.stopped)
    world.settle()
    let flying = world.incoming.count + (world.outgoing == nil ? 0 : 1)
    #expect(world.cancelled.count + (world.isOutgoingCancelled ? 1 : 0) == flying)
    #expect(world.pipe.isDone == (flying == 0))
    world.answer(.done)
    world.giveBack()
    #expect(world.pipe.isDone && world.pipe.end == .stopped)
    #expect(world.pipe.nextOrder(at: world.now) == nil)
  }

  @Test func `one that never comes back keeps it from being done`() {
    var world = PipeWorld(seed: 4)
    world.settle()
    world.pipe.finish(.stopped)
    world.settle()
    world.incoming.removeAll { $0 == 5 }
    world.giveBack()
    #expect(world.pipe.isDone == false)
  }

  /// A leak of a machine's buffer is in each round; what tests beside this one keep is not.
  @Test func `machines leave no memory behind`() throws {
    let isFreed = try (0..<8).contains { _ in
      try Self.growth(machines: 16_000) < 8_000 * Limits.hostTransmitBuffer
    }
    #expect(isFreed, "each round of machines keeps memory")
  }

  private static func growth(machines: UInt64) throws -> Int {
    let before = try residentBytes()
    for seed in 0..<machines {
      var world = PipeWorld(seed: seed)
      world.settle()
      world.send([UInt8](repeating: 1, count: 200))
      world.pipe.finish(.stopped)
      world.settle()
      world.giveBack()
    }
    return try residentBytes() - before
  }

  private static func residentBytes() throws -> Int {
    let file = try Syscall.open("/proc/self/statm", O_RDONLY)
    return try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = try file.read(into: buffer) ?? 0
      let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
      return try #require(Int(words[1])) * Int(getpagesize())
    }
  }
}
