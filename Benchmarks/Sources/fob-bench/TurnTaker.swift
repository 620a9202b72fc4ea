import CBench
import Foundation

/// `take-turns`: does its work once for each line of standard input, and answers with the
/// nanoseconds that this took and the units that were right. Peers in Python do the same:
/// Benchmarks/Python/turns.py asks them in turn.
struct TurnTaker {
  private let work: ([UInt8]) -> Int
  private let file: String

  init(_ arguments: Arguments) throws {
    file = try arguments.text("file")
    switch try arguments.text("work") {
    case "frames": work = CodecBenchmark.decode
    case "sentences": work = NMEABenchmark.takeApart
    case let other: throw BenchFailure("no work '\(other)': there are frames and sentences")
    }
  }

  func run() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    while readLine() != nil {
      let begun = bench_monotonic()
      let right = work(bytes)
      let took = bench_monotonic() - begun
      print(took, right)
      fflush(nil)
    }
  }
}
