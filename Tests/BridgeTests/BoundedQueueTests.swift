import FobBase
import SerialIO
import Testing

@testable import Bridge

@Suite struct BoundedQueueTests {
  @Test func `what is put comes out in order, all that waits at once`() throws {
    let queue = try BoundedQueue<Int>(limit: 3)
    #expect(queue.isEmpty)
    #expect([1, 2, 3].map { queue.put($0) } == [true, true, true])
    #expect(queue.take() == [1, 2, 3])
    #expect(queue.isEmpty)
  }

  @Test func `a full queue takes nothing more until it was emptied`() throws {
    let queue = try BoundedQueue<Int>(limit: 2)
    #expect([1, 2, 3].map { queue.put($0) } == [true, true, false])
    #expect(queue.take() == [1, 2])
    #expect(queue.put(4))
    #expect(queue.take() == [4])
  }

  @Test func `a closed queue takes nothing, gives what waits, and then ends`() throws {
    let queue = try BoundedQueue<Int>(limit: 2)
    #expect(queue.put(1))
    queue.close()
    #expect(!queue.put(2))
    #expect(queue.take() == [1])
    #expect(queue.take() == nil)
    #expect(queue.take() == nil)
  }

  @Test func `what many threads put arrives once each, in the order of each`() throws {
    let queue = try BoundedQueue<[Int]>(limit: 100_000)
    let threads = try (0..<4).map { thread in
      try BlockingThread(name: "put") {
        for n in 0..<2_000 { _ = queue.put([thread, n]) }
      }
    }
    var taken: [[Int]] = []
    while taken.count < 8_000, let more = queue.take() { taken += more }
    for thread in threads { #expect(thread.join(within: .seconds(10))) }
    for thread in 0..<4 {
      #expect(taken.filter { $0[0] == thread }.map { $0[1] } == Array(0..<2_000))
    }
  }
}

extension BoundedQueue {
  fileprivate func take() -> [Element]? {
    var elements: [Element] = []
    return take(into: &elements) ? elements : nil
  }
}
