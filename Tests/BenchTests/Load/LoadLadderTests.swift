import Bench
import Testing

@Suite struct LoadLadderTests {
  /// The steps of a ladder on a machine that carries so many.
  private func climb(_ ladder: LoadLadder, carrying most: Int) -> (steps: [Int], end: LoadLadder) {
    var ladder = ladder
    var steps: [Int] = []
    while let step = ladder.next(), steps.count < 100 {
      steps.append(step)
      ladder.note(step, isCarried: step <= most)
    }
    return (steps, ladder)
  }

  @Test func `it doubles until one is not carried, then bisects to within an eighth`() {
    let (steps, end) = climb(LoadLadder(from: 64, to: 16_384), carrying: 700)
    #expect(steps == [64, 128, 256, 512, 1_024, 768, 640, 704])
    #expect(end.carried == 640)
    #expect(end.refused == 704)
  }

  @Test(arguments: [1, 2, 3, 63, 64, 65, 1_000, 4_095, 4_096, 5_000])
  func `it ends with what is carried within an eighth`(most: Int) throws {
    let (steps, end) = climb(LoadLadder(from: 64, to: 4_096), carrying: most)
    let carried = try #require(end.carried)
    #expect(carried <= most)
    if let refused = end.refused {
      #expect(refused > most)
      #expect(refused - carried <= max(1, carried / 8))
    } else {
      #expect(carried == 4_096)
    }
    #expect(Set(steps).count == steps.count)
  }

  @Test func `where not even one is carried it ends with none`() {
    let (steps, end) = climb(LoadLadder(from: 8, to: 64), carrying: 0)
    #expect(steps == [8, 4, 2, 1])
    #expect(end.carried == nil)
    #expect(end.refused == 1)
  }

  @Test func `steps that are given are made in their order, whatever comes of them`() {
    let (steps, end) = climb(LoadLadder(steps: [1, 1_000, 1, 1_000]), carrying: 500)
    #expect(steps == [1, 1_000, 1, 1_000])
    #expect(end.carried == 1)
    #expect(end.refused == 1_000)
  }
}
