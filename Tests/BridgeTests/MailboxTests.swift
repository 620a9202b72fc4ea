import FobBase
import SerialIO
import Testing

@testable import Bridge

@Suite struct MailboxTests {
  @Test func `what is put comes out in order, all that waits at once`() throws {
    let mailbox = try Mailbox<Int>(limit: 3)
    #expect(mailbox.isEmpty)
    #expect([1, 2, 3].map { mailbox.put($0) } == [true, true, true])
    #expect(mailbox.take() == [1, 2, 3])
    #expect(mailbox.isEmpty)
  }

  @Test func `a full queue takes nothing more until it was emptied`() throws {
    let mailbox = try Mailbox<Int>(limit: 2)
    #expect([1, 2, 3].map { mailbox.put($0) } == [true, true, false])
    #expect(mailbox.take() == [1, 2])
    #expect(mailbox.put(4))
    #expect(mailbox.take() == [4])
  }

  @Test func `a closed queue takes nothing, gives what waits, and then ends`() throws {
    let mailbox = try Mailbox<Int>(limit: 2)
    #expect(mailbox.put(1))
    mailbox.close()
    #expect(!mailbox.put(2))
    #expect(mailbox.take() == [1])
    #expect(mailbox.take() == nil)
    #expect(mailbox.take() == nil)
  }

  @Test func `what many threads put arrives once each, in the order of each`() throws {
    let mailbox = try Mailbox<[Int]>(limit: 100_000)
    let threads = try (0..<4).map { thread in
      try BlockingThread(name: "put") {
        for n in 0..<2_000 { _ = mailbox.put([thread, n]) }
      }
    }
    var taken: [[Int]] = []
    while taken.count < 8_000, let more = mailbox.take() { taken += more }
    for thread in threads { #expect(thread.join(within: .seconds(10))) }
    for thread in 0..<4 {
      #expect(taken.filter { $0[0] == thread }.map { $0[1] } == Array(0..<2_000))
    }
  }
}

extension Mailbox {
  fileprivate func take() -> [Element]? {
    var elements: [Element] = []
    return take(into: &elements) ? elements : nil
  }
}
