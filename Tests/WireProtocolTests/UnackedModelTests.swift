import FobBase
import TestSupport
import Testing
import WireProtocol

/// What `UnackedEvents` is to do, said the plain way, in ticks of 1.024 ms.
private struct UnackedModel {
  struct Entry {
    var number: UInt32
    var isPress: Bool
    var due: Int64
    var waits: [Int64]
  }

  static let waits: [Int64] = [98, 196, 392, 784, 1_568]

  var entries: [Entry] = []
  var outstanding: [(number: UInt32, since: Int64)] = []

  mutating func add(_ number: UInt32, isPress: Bool, at tick: Int64, sent: Bool) {
    let due = sent ? tick + 98 : tick
    let waits = sent ? Array(Self.waits.dropFirst()) : Self.waits
    entries.append(Entry(number: number, isPress: isPress, due: due, waits: waits))
  }

  mutating func remove(_ number: UInt32) {
    entries.removeAll { $0.number == number }
    outstanding.removeAll { $0.number == number }
  }

  mutating func hostHello(at tick: Int64) {
    for i in entries.indices {
      entries[i].due = tick
      entries[i].waits = Self.waits
    }
    outstanding = []
  }

  mutating func nextResend(at tick: Int64) -> UInt32? {
    outstanding.removeAll { tick - $0.since >= 98 }
    guard outstanding.count < 4 else { return nil }
    let due = entries.indices.filter { entries[$0].due <= tick }
    let best = due.min { a, b in
      let (a, b) = (entries[a], entries[b])
      if a.isPress != b.isPress { return a.isPress }
      return (a.due, a.number) < (b.due, b.number)
    }
    guard let best else { return nil }
    entries[best].due = tick + (entries[best].waits.first ?? 1_953)
    entries[best].waits = Array(entries[best].waits.dropFirst())
    outstanding.append((entries[best].number, tick))
    return entries[best].number
  }
}

struct UnackedModelTests {
  @Test(arguments: UInt64(1)...12)
  func `any sequence of operations agrees with the model`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var unacked = UnackedEvents()
    var model = UnackedModel()
    var tick = Int64(0)
    var next: UInt32 = 1
    for _ in 0..<1_500 {
      tick += Int64.random(in: 0...60, using: &random)
      let now = Instant(microseconds: tick << 10)
      switch Int.random(in: 0..<12, using: &random) {
      case 0 where !unacked.isFull, 1 where !unacked.isFull:
        let isPress = Bool.random(using: &random)
        let sent = Bool.random(using: &random)
        unacked.add(
          EventNumber(boot: 1, n: next), isPress ? .pressed : .released, slot: 0, at: now,
          sent: sent)
        model.add(next, isPress: isPress, at: tick, sent: sent)
        next += 1
      case 2 where unacked.count > 0:
        let index = Int.random(in: 0..<unacked.count, using: &random)
        model.remove(unacked.remove(at: index).number.n)
      case 3 where Int.random(in: 0..<6, using: &random) == 0:
        unacked.hostHello(at: now)
        model.hostHello(at: tick)
      default:
        checkDue(unacked, model, at: tick)
        let sent = unacked.nextResend(at: now)?.number.n
        let expected = model.nextResend(at: tick)
        #expect(sent == expected)
      }
      #expect(unacked.count == model.entries.count)
      #expect(unacked.hasPress == model.entries.contains { $0.isPress })
      #expect(unacked.oldest.n == model.entries.map(\.number).min() ?? 0)
    }
  }

  /// `nextDue` is the first tick at which the model sends something.
  private func checkDue(_ unacked: UnackedEvents, _ model: UnackedModel, at tick: Int64) {
    var unacked = unacked
    guard let due = unacked.nextDue(after: Instant(microseconds: tick << 10)) else {
      #expect(model.entries.isEmpty)
      return
    }
    let dueTick = due.microseconds >> 10
    var (on, before) = (model, model)
    let sent = on.nextResend(at: dueTick)
    #expect(sent != nil)
    guard dueTick > tick else { return }
    let tooSoon = before.nextResend(at: dueTick - 1)
    #expect(tooSoon == nil)
  }
}
