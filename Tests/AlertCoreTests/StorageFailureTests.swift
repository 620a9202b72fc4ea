import AlertCore
import FobBase
import Testing
import WireProtocol

struct StorageFailureTests {
  @Test func `a failed commit is tried again each second until it heals`() {
    var bench = CoreBench()
    bench.storeBehaviour = .failsAtOnce
    bench.press(.press(1))
    bench.run(for: .milliseconds(3_500))
    #expect(bench.acks.isEmpty)
    #expect(bench.core.status(at: bench.now).storageFailure == "disk full")
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .milliseconds(499))
    #expect(bench.acks.isEmpty)
    bench.run(for: .milliseconds(1))
    #expect(bench.ackCount(.press(1)) == 1)
    #expect(bench.store.doubled.isEmpty)
    #expect(bench.store.events.count == 1)
    #expect(bench.core.status(at: bench.now).storageFailure == nil)
    #expect(bench.happened(.commitFailed).count == 1)
    #expect(bench.happened(.storageHealed).count == 1)
  }

  @Test func `a failed commit is tried again at once at a duplicate`() {
    var bench = CoreBench()
    bench.storeBehaviour = .failsAtOnce
    bench.press(.press(1))
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .milliseconds(10))
    #expect(bench.acks.isEmpty)
    bench.press(.press(1))
    #expect(bench.ackCount(.press(1)) == 1)
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
  }

  @Test func `what waits for a failing store is bounded, counted and said`() {
    var bench = CoreBench(.sample(), .ofManyLines)
    bench.press(.press(1))
    bench.storeBehaviour = .silent
    let many = UInt32(Limits.pendingAudit + 400)
    for n in 2...many { bench.press(.press(n, kind: .released)) }
    for _ in 0..<300 { bench.perform(nil) }
    bench.run(for: .seconds(60))
    #expect(bench.core.status(at: bench.now).storageFailure == "the store does not answer")
    bench.wakeStore()
    #expect(bench.store.log.count < Limits.pendingAudit + 50)
    let losses = bench.store.log.indices.filter { bench.store.log[$0].name == .auditLost }
    #expect(losses.count == 1)
    // In front of what is left of what waited, which is where lines are missing.
    #expect(bench.store.log[losses[0] - 1].event == "1.2")
    #expect(bench.happened(.auditLost).count == 1)
    #expect(bench.answers.count == 300)
    #expect(bench.core.status(at: bench.now).storageFailure == nil)
    // What was left to the device comes again, and is taken now.
    for n in 2...many where !bench.isKnown(n) { bench.press(.press(n, kind: .released)) }
    #expect(bench.store.events.count == Int(many))
    #expect(bench.store.doubled.isEmpty)
  }

  @Test func `a press opens its incident however much waits for the store`() {
    var bench = CoreBench(.sample(), .ofManyLines)
    bench.storeBehaviour = .silent
    for n in 1...UInt32(Limits.pendingAudit + 10) { bench.press(.press(n, kind: .released)) }
    bench.press(.press(9_999))
    bench.run(for: .milliseconds(100))
    #expect(bench.deliveries(.raise).count == 2)
  }

  @Test func `an answer of the store for another batch changes nothing`() {
    var bench = CoreBench()
    bench.storeBehaviour = .silent
    bench.press(.press(1))
    for number in [UInt64(0), 2, 99] {
      bench.hand(.committed(number))
      bench.hand(.commitFailed(number, reason: "late"))
    }
    #expect(bench.acks.isEmpty)
    #expect(bench.deliveries().isEmpty)
    bench.wakeStore()
    #expect(bench.isAcked(.press(1)))
  }
}

extension StorageFailureTests {
  @Test func `a loss is told where it was also when its commit failed first, and then once`() {
    var bench = CoreBench(.sample(), .ofManyLines)
    bench.press(.press(1))
    bench.storeBehaviour = .silent
    for n in 2...UInt32(Limits.pendingAudit + 20) { bench.press(.press(n, kind: .released)) }
    for _ in 0..<30 { bench.perform(nil) }
    bench.failStore()
    bench.run(for: .seconds(5))
    #expect(bench.happened(.auditLost).isEmpty)
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .seconds(2))
    #expect(bench.happened(.auditLost).count == 1)
    #expect(bench.store.log.count { $0.name == .auditLost } == 1)
  }
}

extension CoreBench {
  fileprivate func isKnown(_ n: UInt32) -> Bool {
    store.identities.contains(EventRecord.press(n, kind: .released).identity)
  }
}
