import FobBase
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SerialIO

/// What is asked for a reader's thread is so on that thread, or the start is refused.
@Suite struct ThreadSchedulingTests {
  private let found = Gathered<ThreadScheduling>()

  /// What a reader's own thread says of itself, on a real pty.
  private func read(with scheduling: ThreadScheduling) throws -> ThreadScheduling {
    let device = try PseudoTerminal()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader", scheduling: scheduling,
      handlers: ReaderHandlers(
        onBytes: { [found] _, _ in
          if let scheduling = try? ThreadScheduling.ofThisThread() { found.put(scheduling) }
        }, onGone: { _ in }))
    try loop.start()
    try TerminalProbe.writeAll([1], to: device.master)
    let said = try found.take()[0]
    #expect(loop.stop())
    return said
  }

  @Test func `a reader has no priority and no processor of its own unless it is asked`() throws {
    let said = try read(with: .standard)
    #expect(said.priority == nil)
  }

  @Test func `a reader runs on its processor alone`() throws {
    for processor in try Processors.allowed().prefix(2) {
      #expect(try read(with: ThreadScheduling(processor: processor)).processor == processor)
    }
  }

  @Test func `a reader runs by SCHED_FIFO, or is refused in words where that is not permitted`()
    throws
  {
    let wanted = ThreadScheduling(priority: 7)
    do {
      let permitted = try RealTimePriority.permitted()
      #expect((1...RealTimePriority.wanted).contains(permitted))
      #expect(try read(with: wanted).priority == 7)
    } catch let refusal as IOFailure {
      #expect(refusal.errno == EPERM)
      #expect("\(refusal)".contains("LimitRTPRIO=40"))
      let started = #expect(throws: IOFailure.self) { try read(with: wanted) }
      #expect(started?.errno == EPERM)
    }
  }

  @Test func `a thread that a reader starts has not its priority`() throws {
    guard (try? RealTimePriority.permitted()) != nil else {
      // As the test before says: nothing has a priority here that could be inherited.
      #expect(throws: IOFailure.self) { try read(with: ThreadScheduling(priority: 7)) }
      return
    }
    let gate = try OneShot<ThreadScheduling?>()
    let thread = try BlockingThread(name: "first", scheduling: ThreadScheduling(priority: 7)) {
      let next = try? BlockingThread(name: "next") { gate.open(with: try? .ofThisThread()) }
      _ = next?.join(within: .seconds(10))
    }
    #expect(thread.join(within: .seconds(10)))
    #expect(try gate.pass()?.priority == nil)
  }

  @Test func `a processor that is not there is refused, and no thread started`() throws {
    let hasRun = Mutex(false)
    let refusal = #expect(throws: IOFailure.self) {
      try BlockingThread(name: "far", scheduling: ThreadScheduling(processor: 1_000)) {
        hasRun.withLock { $0 = true }
      }
    }
    #expect(refusal?.description == "cannot start thread far: there is no processor 1000 for it")
    #expect(!hasRun.withLock { $0 })
  }
}
