import AlertCore
import Bridge
import FobBase
import SerialIO
import TestSupport
import Testing

@testable import Console

/// Who waits for whom on the threads of the API: one account's flood keeps no other waiting.
struct TurnTests {
  /// What the thread runs, in order, of what is put while it is held up.
  private static func order(
    limit: Int, _ put: (WorkThread, @escaping @Sendable (Int) -> Void) -> Int
  ) async throws -> [Int] {
    let thread = try WorkThread(name: "test", limit: limit)
    let (started, go) = (try OneShot<Bool>(), try OneShot<Bool>())
    let order = Gathered<Int>()
    let isTaken = thread.put(of: .account(.first)) {
      started.open(with: true)
      _ = try? go.pass()
    }
    #expect(isTaken)
    _ = try await blocking { try started.pass() }
    let count = put(thread) { order.put($0) }
    go.open(with: true)
    try await blocking { try order.wait("all of it") { order.all.count == count } }
    thread.stop()
    return order.all
  }

  @Test func `a PIN that disarms goes before changes that wait, and some of these between`()
    async throws
  {
    let order = try await Self.order(limit: 3) { thread, note in
      let waiting = (1...4).map { number in
        thread.put(of: .account(.first)) { note(number) }
      }
      let urgent = (7...10).map { number in
        thread.put(of: .account(.first), isUrgent: true) { note(number) }
      }
      #expect(waiting == [true, true, true, false])
      #expect(urgent == [true, true, true, false])
      return 6
    }
    #expect(order == [7, 1, 8, 2, 9, 3])
  }

  @Test func `owners take turns, and visitors of an account have turns of their own`() async throws
  {
    let other = try #require(AccountNumber(2))
    let order = try await Self.order(limit: 3) { thread, note in
      for number in 1...3 { #expect(thread.put(of: .account(.first)) { note(number) }) }
      #expect(!thread.put(of: .account(.first)) { note(4) })
      #expect(thread.put(of: .visitor(of: .first)) { note(5) })
      #expect(thread.put(of: .account(other)) { note(6) })
      return 5
    }
    #expect(order == [1, 5, 6, 2, 3])
  }

  @Test func `what a bridge brings does not wait for the commands of others`() async throws {
    let core = BenchCore()
    let (began, go) = (try OneShot<Bool>(), try OneShot<Bool>())
    core.set {
      $0.before = {
        began.open(with: true)
        _ = try? go.pass()
      }
    }
    try await Rig.run(core: core) { rig in
      defer { go.open(with: true) }
      async let held = rig.ask("POST", "/v1/incidents/current/silence", json: "{}")
      _ = try await blocking { try began.pass() }
      let batch = #"{"bridge":"0123456789abcdef","line":0,"sequence":1,"inputs":[]}"#
      let fed = try await rig.ask("POST", "/v1/feed", as: .feed, json: batch)
      #expect(try fed.json(ProblemBody.self).code == "noFeed")
      go.open(with: true)
      #expect(try await held.status == 200)
    }
  }

  @Test func `a pool of request threads does all that it is given, on its own threads`()
    async throws
  {
    let queue = try RequestThreads(name: "test", threads: 2)
    let sum = await withTaskExecutorPreference(queue) {
      await withTaskGroup(of: Int.self) { group in
        for number in 1...1_000 {
          group.addTask {
            await Task.yield()
            return number
          }
        }
        return await group.reduce(0, +)
      }
    }
    #expect(sum == 500_500)
    queue.stop()
    // A task that comes late still ends.
    let late = await withTaskExecutorPreference(queue) {
      await Task.yield()
      return true
    }
    #expect(late)
  }
}
