import Console
import Testing

struct ScopeTests {
  @Test func `each scope includes those before it`() {
    #expect(Scope.allCases.sorted() == [.observe, .operate, .administer])
  }
}
