import FobBase
import Foundation
import TestSupport
import Testing

/// What an owner wrote in a review stands in its own table and nowhere else, and after the erasure
/// of the account nowhere at all (R82, R86).
@Suite struct LeakSearchTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `R82, R86: files, answers and memory have no word of a review, real processes`() throws
  {
    let search = try RunningExample(
      Repository.root.path + "/scripts/leak-search.py", ["--fob", RunningFob.binary],
      in: scratch)
    #expect(try search.awaitEnd(within: .seconds(240)) == 0, "\(search.output)")
    #expect(search.output.contains("memory after a restart: nowhere"), "\(search.output)")
  }
}
