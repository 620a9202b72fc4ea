import TestSupport
import Testing

@testable import Control

@Suite struct LineSplitterTests {
  @Test(arguments: 1...200)
  func `how a stream is cut into reads changes nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stream = (0..<Int.random(in: 0...400, using: &random)).map { _ in
      [UInt8]([0x0A, 0x0D, 0x61, 0x62]).randomElement(using: &random)!
    }
    #expect(items(of: [stream]) == items(of: pieces(of: stream, using: &random)))
  }

  @Test(arguments: 1...200)
  func `lines come as they were written, long ones as a mark`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lengths = (0..<20).map { _ in Int.random(in: 0...12, using: &random) }
    let stream = lengths.flatMap { length in
      [UInt8](repeating: 0x61, count: length)
        + (Bool.random(using: &random) ? [0x0A] : [0x0D, 0x0A])
    }
    let expected = lengths.filter { $0 > 0 }.map { length -> LineSplitter.Item in
      length > 8 ? .tooLong : .line([UInt8](repeating: 0x61, count: length))
    }
    #expect(items(of: pieces(of: stream, using: &random)) == expected)
  }

  private func items(of pieces: [[UInt8]]) -> [LineSplitter.Item] {
    var splitter = LineSplitter(limit: 8)
    var items: [LineSplitter.Item] = []
    for piece in pieces {
      splitter.append(piece)
      while let item = splitter.next() { items.append(item) }
    }
    return items
  }

  private func pieces(of stream: [UInt8], using random: inout SeededGenerator) -> [[UInt8]] {
    var rest = stream[...]
    var pieces: [[UInt8]] = []
    while !rest.isEmpty {
      let count = Int.random(in: 1...7, using: &random)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
}
