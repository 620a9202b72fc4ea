import Console
import Testing

struct ScopeTests {
  @Test func `each of three scopes includes those before it, and a bridge's stands alone`() {
    func allowed(_ scope: Scope) -> [Scope] { Scope.allCases.filter { scope.allows($0) } }
    #expect(allowed(.observe) == [.observe])
    #expect(allowed(.feed) == [.feed])
    // As bridges of earlier versions have them.
    #expect(allowed(.operate) == [.observe, .operate, .feed])
    #expect(allowed(.administer) == [.observe, .operate, .administer, .feed])
  }
}
