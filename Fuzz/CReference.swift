import TestSupport

/// The reference in C beside WireProtocol in full numbers: `CReference COUNT SEED [isolated]`, the
/// frames to damage in hex on its input, one a line. `scripts/c-reference.sh` builds and runs it.
@main struct CReference {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 2, let count = Int(words[1]), let seed = UInt64(words[2]) else {
      fatalError("say COUNT SEED [isolated]")
    }
    var corpus: [[UInt8]] = []
    while let line = readLine() { corpus.append(bytes(line)) }
    var run = DifferentialRun(corpus: corpus, seed: seed, isolated: words.last == "isolated")
    let clock = ContinuousClock()
    let began = clock.now
    while run.inputs < count {
      guard let difference = run.next() else { continue }
      print("C reference: seed \(seed), input \(run.inputs): \(difference)")
      fatalError("C and Swift differ")
    }
    let seconds = (clock.now - began) / .seconds(1)
    let rate = Int(Double(count) / seconds)
    print("C reference: \(run.summary); \(Int(seconds)) s, \(rate) inputs a second")
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
