import FobBase
import Testing

@testable import Emulator

/// A board's line with faults, over a wire that is moved by hand.
@Suite final class LineFaultTests {
  private var now = Instant(microseconds: 5_000)
  private var isHeard = true
  private var fromHost: [UInt8] = []
  private var atHost: [UInt8] = []
  /// Bytes that the wire still takes.
  private var room = Int.max

  private lazy var line = FaultyLine(
    BoardLine(
      read: { [unowned self] buffer in
        let count = min(buffer.count, fromHost.count)
        buffer.copyBytes(from: fromHost.prefix(count))
        fromHost.removeFirst(count)
        return count
      },
      write: { [unowned self] bytes in
        let count = min(bytes.count, room)
        if room != .max { room -= count }
        atHost += bytes.prefix(count)
        return count
      }), isHeard: { [unowned self] in isHeard }, now: { [unowned self] in now })

  @Test func `without a fault bytes go straight through`() {
    room = 2
    #expect(write([1, 2, 3]) == 2)
    fromHost = [4, 5]
    #expect(read() == [4, 5])
    #expect(line.nextDue == nil && !line.isWaitingForLine && line.mayRead && line.mayWrite)
    #expect(line.strikes.isEmpty)
  }

  @Test func `each direction is hit by its own faults`() {
    line.set(WireFault(.drop, .at(0), to: .host))
    line.set(WireFault(.double, .at(1), to: .device))
    #expect(write([1, 2, 3]) == 3)
    fromHost = [4, 5]
    #expect(atHost == [2, 3] && read() == [4, 5, 5])
    #expect(line.strikes == [.drop: 1, .double: 1])
    line.set(WireFault(.flip, .at(0, count: 2), value: 0))
    #expect(write([8, 8, 8]) == 3)
    fromHost = [8, 8, 8]
    #expect(atHost == [2, 3, 9, 9, 8] && read() == [9, 9, 8])
    #expect(line.strikes[.flip] == 4)
  }

  @Test func `what a stall keeps back goes out when it is due`() {
    line.set(WireFault(.stall, .at(0), pause: .milliseconds(7)))
    #expect(write([1, 2]) == 2)
    fromHost = [3]
    #expect(atHost.isEmpty && read().isEmpty)
    #expect(fromHost.isEmpty, "it was taken in, so that nobody waits for the wire")
    #expect(line.nextDue == now + .milliseconds(7))
    now = now + .milliseconds(7)
    line.flush()
    #expect(atHost == [1, 2] && read() == [3])
    #expect(line.nextDue == nil)
  }

  @Test func `what a full wire does not take waits for it, in order`() {
    line.set(WireFault(.stall, .at(0), pause: .milliseconds(7)))
    #expect(write([1, 2, 3, 4]) == 4)
    now = now + .milliseconds(7)
    room = 3
    line.flush()
    #expect(atHost == [1, 2, 3] && line.isWaitingForLine)
    #expect(line.nextDue == nil, "the wire is waited for, not the clock")
    #expect(write([5]) == 1)
    room = .max
    line.flush()
    #expect(atHost == [1, 2, 3, 4, 5] && !line.isWaitingForLine)
  }

  @Test func `a full line takes no more from either side`() {
    line.set(WireFault(.stall, .at(0), pause: .seconds(1)))
    let burst = [UInt8](repeating: 7, count: 9_000)
    fromHost = burst
    var taken = 0
    while case let more = write(Array(burst[taken...])), more > 0 { taken += more }
    #expect(!line.mayWrite && taken > 1_000 && taken < burst.count)
    #expect(read().isEmpty && !fromHost.isEmpty)
    #expect(!line.mayRead)
    now = now + .seconds(1)
    line.flush()
    #expect(atHost.count == taken && line.mayWrite)
    var heard = 0
    while case let bytes = read(), !bytes.isEmpty { heard += bytes.count }
    #expect(heard == burst.count)
  }

  @Test func `what is on its way is gone with the plug`() {
    line.set(WireFault(.stall, .at(0)))
    _ = write([1])
    fromHost = [2]
    _ = read()
    line.discard()
    now = now + .seconds(1)
    line.flush()
    #expect(atHost.isEmpty && read().isEmpty && line.nextDue == nil)
  }

  @Test func `what no host hears is hit by no fault`() {
    line.set(WireFault(.drop, .at(0), to: .host))
    isHeard = false
    #expect(write([1]) == 1 && line.strikes[.drop] == 0)
    isHeard = true
    #expect(write([1]) == 1 && line.strikes[.drop] == 1)
  }

  @Test func `cleared faults strike no more, and are counted all the same`() {
    line.set(WireFault(.drop, .rate(1)))
    _ = write([1, 2])
    line.set(WireFault(.drop, .rate(1)))
    _ = write([3])
    line.clear()
    _ = write([4])
    #expect(atHost == [4] && line.faults.isEmpty && line.strikes == [.drop: 3])
  }

  private func write(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes { line.write($0) } }

  /// All that the board's FIFO has room for.
  private func read() -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < 4_096 {
      var piece = [UInt8](repeating: 0, count: 64)
      let count = piece.withUnsafeMutableBytes { line.read($0) }
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }
}
