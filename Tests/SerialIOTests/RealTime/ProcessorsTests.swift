import FobBase
import Testing

@testable import SerialIO

@Suite struct ProcessorsTests {
  @Test(
    arguments: [
      ([], ""), ([3], "3"), ([0, 1], "0-1"), ([0, 1, 2, 5, 7, 8], "0-2,5,7-8"), ([4, 2, 3], "2-4"),
    ] as [([Int], String)])
  func `processors are told as the kernel's lists have them`(processors: [Int], text: String) {
    #expect(Processors.text(processors) == text)
  }

  /// On a thread of its own, whose choice is nobody else's.
  private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let gate = try OneShot<Result<Value, any Error>>()
    let thread = try BlockingThread(name: "chooser") { gate.open(with: Result { try body() }) }
    defer { _ = thread.join(within: .seconds(10)) }
    return try gate.pass().get()
  }

  @Test func `a processor that is left is no longer run on`() throws {
    let all = try Processors.allowed()
    let left = try onThread {
      guard all.count > 1 else { return try Processors.allowed() }
      let others = try Processors.leave(all[0])
      #expect(try Processors.allowed() == others)
      return others
    }
    #expect(left == (all.count > 1 ? Array(all.dropFirst()) : all))
    #expect(try Processors.allowed() == all)
  }

  @Test func `the only processor and one that is not there are refused with a hint`() throws {
    let first = try Processors.allowed()[0]
    let words = try onThread {
      try Processors.allow([first])
      return [first, first + 1].map { processor in
        do throws(IOFailure) {
          try Processors.leave(processor)
          return ""
        } catch {
          return "\(error)"
        }
      }
    }
    #expect(words[0].contains("the only one"))
    #expect(words[1].contains("may run on \(first): choose one of these"))
  }
}
