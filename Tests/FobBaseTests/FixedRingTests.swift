import FobBase
import TestSupport
import Testing

struct FixedRingTests {
  @Test func `a new ring is empty and has all its places free`() {
    let ring = FixedRing<3, Int>(filler: 0)
    #expect(ring.isEmpty && !ring.isFull && ring.count == 0 && ring.free == 3)
  }

  @Test func `a full ring refuses a further element and stays as it was`() {
    var ring = FixedRing<2, Int>(filler: 0)
    let taken = [ring.append(1), ring.append(2), ring.append(3)]
    #expect(taken == [true, true, false])
    #expect(ring.isFull && ring[0] == 1 && ring[1] == 2)
  }

  @Test func `push gives up the oldest element when full`() {
    var ring = FixedRing<2, Int>(filler: 0)
    for n in 1...5 { ring.push(n) }
    #expect(ring[0] == 4 && ring[1] == 5)
  }

  @Test(arguments: UInt64(1)...8)
  func `any sequence of operations agrees with an array`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var ring = FixedRing<7, UInt64>(filler: 0)
    var model: [UInt64] = []
    for _ in 0..<2_000 {
      let value = random.next()
      switch UInt64.random(in: 0..<3, using: &random) {
      case 0:
        let taken = ring.append(value)
        #expect(taken == (model.count < 7))
        if taken { model.append(value) }
      case 1:
        ring.push(value)
        model = (model + [value]).suffix(7)
      default:
        let n = Int.random(in: 0...model.count, using: &random)
        ring.removeFirst(n)
        model.removeFirst(n)
      }
      #expect((0..<ring.count).map { ring[$0] } == model)
      #expect(ring.isEmpty == model.isEmpty && ring.isFull == (model.count == 7))
      #expect(ring.free == 7 - model.count)
    }
  }
}
