import Synchronization
import Testing

@testable import Bridge

struct WatchersTests {
  @Test func `a bridge that lives for days tells its last event as its first, each but the hidden`()
  {
    let watchers = Watchers()
    let told = Atomic(0)
    watchers.add { _ in told.add(1, ordering: .relaxed) }
    watchers.hide { event in
      if case .notice(let notice) = event { notice.level == .error } else { false }
    }
    for _ in 0..<200_000 {
      watchers.tell(.notice(.info, "shown"))
      watchers.tell(.notice(.error, "hidden"))
    }
    #expect(told.load(ordering: .relaxed) == 200_000)
  }
}
