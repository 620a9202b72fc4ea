import FobBase
import Judge
import TestSupport
import Testing

@testable import Simulation

@Suite struct ShrinkerTests {
  @Test(arguments: 0..<200)
  func `whatever acts are guilty together, they are found and no other`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let all = Array(0..<Int.random(in: 1...90, using: &random))
    let guilty = Set(all.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)))
    var shrinker = Shrinker()
    let kept = shrinker.shrink(all) { guilty.isSubset(of: $0) }
    #expect(kept == guilty.sorted())
  }

  @Test(arguments: 0..<100)
  func `nothing that remains can be left out, whatever the predicate`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    // Any of these alternatives is enough, so leaving out one thing can make another needless.
    let alternatives = (0..<4).map { _ in
      Set(
        (0..<Int.random(in: 1...6, using: &random)).map { _ in
          Int.random(in: 0..<50, using: &random)
        })
    }
    func fails(_ numbers: [Int]) -> Bool { alternatives.contains { $0.isSubset(of: numbers) } }
    var shrinker = Shrinker()
    let kept = shrinker.shrink(Array(0..<50), while: fails)
    #expect(fails(kept))
    for left in kept { #expect(!fails(kept.filter { $0 != left })) }
  }

  @Test func `two guilty among forty are found in far fewer plays than the limit`() {
    var shrinker = Shrinker()
    #expect(shrinker.shrink(Array(0..<40)) { $0.contains(3) && $0.contains(31) } == [3, 31])
    #expect(shrinker.plays < 80)
  }

  @Test func `what did not fail is not asked about again`() {
    var asked: [[Int]] = []
    var shrinker = Shrinker()
    _ = shrinker.shrink(Array(0..<30)) {
      asked.append($0)
      return Set([4, 5, 17]).isSubset(of: $0)
    }
    let innocent = asked.filter { !Set([4, 5, 17]).isSubset(of: $0) }
    #expect(Set(innocent).count == innocent.count)
  }

  @Test func `what fails without any act shrinks to nothing`() {
    var shrinker = Shrinker()
    #expect(shrinker.shrink([1, 2, 3]) { _ in true } == [])
    #expect(shrinker.plays == 1)
  }

  @Test(arguments: [0, 1, 7, 20])
  func `it asks no more than it may, and what it returns fails even so`(most: Int) {
    let guilty: Set = [3, 30, 31, 60]
    var asked = 0
    var shrinker = Shrinker(maxPlays: most)
    let kept = shrinker.shrink(Array(0..<70)) {
      asked += 1
      return guilty.isSubset(of: $0)
    }
    #expect(asked == most)
    #expect(guilty.isSubset(of: kept))
  }

  @Test func `a schedule keeps the rule that it broke first, and what came later was never done`()
    throws
  {
    let schedule = try #require(
      (1...50).lazy.map { Schedule(seed: $0) }.first { $0.acts.count > 20 })
    let guilty = Set([2, 9].map { schedule.acts[$0].number })
    let later = schedule.acts[12]
    let violation = Violation(.pressLost, at: schedule.acts[11].at, "lost")
    var sawLater = false
    let (shrunk, plays) = schedule.shrunk(keeping: violation) { played in
      let numbers = Set(played.acts.map(\.number))
      sawLater = sawLater || (later.at > violation.at && numbers.contains(later.number))
      // Fewer acts break another rule: that is not what is looked for.
      let rule: Violation.Rule = guilty.isSubset(of: numbers) ? .pressLost : .nobodyTold
      return Outcome(of: played, violations: [Violation(rule, at: violation.at, "lost")])
    }
    #expect(Set(shrunk.acts.map(\.number)) == guilty)
    #expect(!sawLater)
    #expect(plays < 100)
  }
}
