import Foundation

/// `dump`: the work of codec and NMEA as files, so that peers in other languages get the same.
struct SharedWork {
  /// What one round of the work is: so much that no processor learns it by heart.
  private static let frames = 2_000
  private static let rounds = 400

  private let folder: String

  init(_ arguments: Arguments) throws { folder = try arguments.text("folder") }

  /// Of each set of frames the stream, and the bodies as lines of hexadecimal digits; and the
  /// sentences.
  func run() throws {
    for (zeros, name) in [(0.0, "random"), (0.3, "zeros")] {
      let set = FrameSet(Self.frames, zeros: zeros)
      try Data(set.stream).write(to: place("\(name).stream"))
      let starts = [0] + set.bodyEnds.dropLast()
      let bodies = zip(starts, set.bodyEnds).map { start, end in
        set.bodies[Int(start)..<Int(end)].map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined() + "\n"
      }
      try Data(bodies.joined().utf8).write(to: place("\(name).bodies"))
    }
    let sentences = Array(repeating: NMEABenchmark.sentences, count: Self.rounds).joined()
    try Data(sentences.map { $0 + "\r\n" }.joined().utf8).write(to: place("sentences.nmea"))
  }

  private func place(_ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }
}
