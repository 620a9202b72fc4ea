import FobBase
import Testing
import WireProtocol

struct UnackedEventsTests {
  private func number(_ n: UInt32) -> EventNumber { EventNumber(boot: 1, n: n) }

  /// The resends up to `end`, polled each millisecond: their times in ms and the numbers.
  private func resends(
    _ unacked: inout UnackedEvents, from start: Int64, to end: Int64
  ) -> [(at: Int64, n: UInt32)] {
    var sent: [(Int64, UInt32)] = []
    for ms in start...end {
      while let entry = unacked.nextResend(at: .milliseconds(ms)) {
        sent.append((ms, entry.number.n))
      }
    }
    return sent
  }

  /// That times are what they should be, give or take the rounding to ticks.
  private func expect(_ times: [Int64], about expected: [Int64]) {
    #expect(times.count == expected.count, "\(times)")
    for (time, goal) in zip(times, expected) { #expect(abs(time - goal) <= 15, "\(times)") }
  }

  @Test func `a sent event is sent again after 100 ms, doubling to 2 s, for ever`() {
    var unacked = UnackedEvents()
    unacked.add(number(1), .pressed, slot: 0, at: .milliseconds(0), sent: true)
    let times = resends(&unacked, from: 0, to: 12_000).map(\.at)
    expect(times, about: [100, 300, 700, 1_500, 3_100, 5_100, 7_100, 9_100, 11_100])
  }

  @Test func `an event that was never sent is due at once`() {
    var unacked = UnackedEvents()
    unacked.add(number(1), .pressed, slot: 0, at: .milliseconds(5), sent: false)
    let times = resends(&unacked, from: 5, to: 1_600).map(\.at)
    expect(times, about: [5, 105, 305, 705, 1_505])
  }

  @Test func `only what was sent before is a resend`() throws {
    var unacked = UnackedEvents()
    unacked.add(number(1), .pressed, slot: 0, at: .milliseconds(0), sent: false)
    let wasSent = (0..<3).map { n in
      unacked.nextResend(at: .seconds(Int64(n) * 10))?.wasSent
    }
    #expect(wasSent == [false, true, true])
  }

  @Test func `four wait at most, and a place is free after 100 ms or an ack`() {
    var unacked = UnackedEvents()
    for n in UInt32(1)...12 {
      unacked.add(number(n), .pressed, slot: UInt8(n), at: .milliseconds(0), sent: false)
    }
    #expect(resends(&unacked, from: 0, to: 50).map(\.n) == [1, 2, 3, 4])
    unacked.remove(at: unacked.index(of: number(2))!)
    #expect(resends(&unacked, from: 51, to: 90).map(\.n) == [5])
    #expect(resends(&unacked, from: 91, to: 110).map(\.n) == [6, 7, 8])
  }

  @Test func `a press goes before everything else, then what has been due longest`() {
    var unacked = UnackedEvents()
    unacked.add(number(1), .booted, slot: 1, at: .milliseconds(0), sent: false)
    unacked.add(number(2), .released, slot: 2, at: .milliseconds(10), sent: false)
    unacked.add(number(3), .pressed, slot: 3, at: .milliseconds(20), sent: false)
    unacked.add(number(5), .fault, slot: 5, at: .milliseconds(10), sent: false)
    unacked.add(number(4), .pressed, slot: 4, at: .milliseconds(20), sent: false)
    #expect(resends(&unacked, from: 30, to: 30).map(\.n) == [3, 4, 1, 2])
    #expect(resends(&unacked, from: 31, to: 128).map(\.n) == [])
  }

  @Test func `HELLO makes everything due, with the first interval and an empty window`() {
    var unacked = UnackedEvents()
    for n in UInt32(1)...4 {
      unacked.add(number(n), .pressed, slot: UInt8(n), at: .milliseconds(0), sent: true)
    }
    _ = resends(&unacked, from: 0, to: 5_000)
    unacked.hostHello(at: .milliseconds(5_001))
    let sent = resends(&unacked, from: 5_001, to: 5_900)
    #expect(sent.map(\.n) == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
    expect(sent.filter { $0.n == 1 }.map(\.at), about: [5_001, 5_101, 5_301, 5_701])
  }

  @Test func `the oldest is the lowest number, none when all are acked`() {
    var unacked = UnackedEvents()
    #expect(unacked.oldest == .none)
    for n in [UInt32(7), 3, 9] {
      unacked.add(number(n), .released, slot: 0, at: .milliseconds(0), sent: true)
    }
    #expect(unacked.oldest == number(3) && !unacked.hasPress)
    unacked.remove(at: unacked.index(of: number(3))!)
    #expect(unacked.oldest == number(7))
    #expect(unacked.index(of: number(3)) == nil)
  }

  @Test func `the oldest and the newest that fit are found by number`() {
    var unacked = UnackedEvents()
    for n in [UInt32(7), 3, 9, 5] {
      let kind = n == 3 || n == 9 ? EventKind.released : .pressed
      unacked.add(number(n), kind, slot: 0, at: .milliseconds(0), sent: true)
    }
    let oldest = unacked.oldest { $0.kind == .pressed }.map { unacked[$0].number.n }
    let newest = unacked.newest { $0.kind == .pressed }.map { unacked[$0].number.n }
    #expect(oldest == 5 && newest == 7)
    #expect(unacked.oldest { $0.kind == .fault } == nil)
    #expect(unacked.newest { $0.kind == .fault } == nil)
  }

  @Test func `the clock may wrap its ticks`() {
    var unacked = UnackedEvents()
    let wrap = (Int64(1) << 42) / 1_000
    unacked.add(number(1), .pressed, slot: 0, at: .milliseconds(wrap - 50), sent: true)
    let times = resends(&unacked, from: wrap - 50, to: wrap + 700).map { $0.at - wrap }
    expect(times, about: [50, 250, 650])
  }
}

extension Instant {
  static func seconds(_ n: Int64) -> Instant { Instant(microseconds: n * 1_000_000) }
}
