import FobBase
import Judge
import Testing

struct JudgeTests {
  @Test func `a world in which nothing happens is innocent`() {
    var judge = Judge(Rules())
    judge.finish(at: Instant(microseconds: 60_000_000))
    #expect(judge.violations.isEmpty)
  }
}
