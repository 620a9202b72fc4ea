import FobBase
import Glibc

@testable import WireProtocol

/// What the seal does with a secret, timed on two kinds of inputs in random order. Where Welch's
/// t-test tells the kinds apart, the time tells of the secret (Reparaz, Balasch, Verbauwhede,
/// "Dude, is my code constant time?", 2017).
enum TimingLeak: String, CaseIterable {
  /// Wrong in the first byte of the tag, or in the last alone.
  case tag = "compare a tag"
  /// Wrong in the first byte of a pairing key, or in the last alone.
  case pairingKey = "compare a key"
  /// One key for all frames, or another for each.
  case frame = "seal by a key"
  /// One pairing key, or another for each.
  case derive = "derive a key"
  /// The mistake that the test must find: as `tag`, and ends at the first wrong byte.
  case stopsEarly = "compare a tag and stop early"

  /// From here on the paper calls a leak certain.
  static let certain = 10.0
  static var honest: [TimingLeak] { allCases.filter { $0 != .stopsEarly } }

  struct Outcome {
    /// The greatest |t| of all measurements and of those without the slowest.
    let t: Double
    /// Between the means of both kinds, of the faster half of all measurements, as a share of it.
    let difference: Double
  }

  /// - Parameter rounds: how often the operation is timed, both kinds together.
  func outcome(rounds: Int, seed: UInt64) -> Outcome {
    var random = SplitMix64(state: seed)
    let isSecond = (0..<rounds).map { _ in random.next() & 1 == 1 }
    let operations = Operations(isSecond, &random)
    var took = [Double](repeating: 0, count: rounds)
    var kept = 0
    for round in 0..<rounds {
      let began = Self.nanoseconds
      kept &+= operations.run(self, round) ? 1 : 0
      took[round] = Double(Self.nanoseconds &- began)
    }
    precondition(kept <= rounds, "the results are used")
    let sorted = took.sorted()
    func kinds(_ share: Double) -> [Moments] {
      let slowest = sorted[Int(Double(rounds - 1) * share)]
      return [false, true].map { kind in
        Moments(zip(took, isSecond).lazy.filter { $0 <= slowest && $1 == kind }.map(\.0))
      }
    }
    let t = [1, 0.99, 0.9, 0.75, 0.5].map(kinds).map { abs(Moments.welch($0[0], $0[1])) }
    let faster = kinds(0.5)
    return Outcome(
      t: t.max() ?? 0, difference: abs(faster[0].mean - faster[1].mean) / faster[0].mean)
  }

  private static var nanoseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_RAW, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

/// Inputs of all rounds, made before the first is timed.
private struct Operations {
  private let key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
  private let sealKey: SealKey
  private var frames: [[UInt8]] = []
  private var nearly: [PairingKey] = []
  private var keys: [PairingKey] = []
  private var sealKeys: [SealKey] = []

  init(_ isSecond: [Bool], _ random: inout SplitMix64) {
    sealKey = key.sealKey(.event)
    var body = FrameBody(Heartbeat(), sequence: 7)
    body.seal(sealKey, clock: 1, counter: 1)
    let right = body.withBytes { Array($0) }
    for isSecond in isSecond {
      let flip = UInt8(truncatingIfNeeded: random.next() | 1)
      var frame = right
      frame[isSecond ? right.count - 1 : right.count - 8] ^= flip
      frames.append(frame)
      nearly.append(
        isSecond
          ? PairingKey(low: key.low, high: key.high ^ UInt64(flip) << 56)
          : PairingKey(low: key.low ^ UInt64(flip), high: key.high))
      let other = PairingKey(low: random.next(), high: random.next())
      keys.append(isSecond ? other : key)
      sealKeys.append((isSecond ? other : key).sealKey(.event))
    }
  }

  func run(_ operation: TimingLeak, _ round: Int) -> Bool {
    switch operation {
    case .tag: return frames[round].withUnsafeBytes { sealKey.proves(ReceivedFrame($0)) }
    case .pairingKey: return nearly[round] == key
    case .frame:
      return frames[round].withUnsafeBytes { sealKeys[round].tag(ofFrame: $0) } & 1 == 1
    case .derive: return keys[round].sealKey(.session).chain[0] & 1 == 1
    case .stopsEarly:
      return frames[round].withUnsafeBytes { frame in
        let tagged = UnsafeRawBufferPointer(rebasing: frame.dropLast(8))
        let tag = sealKey.tag(ofFrame: tagged).littleEndian
        return withUnsafeBytes(of: tag) { tag in
          for (a, b) in zip(tag, frame.suffix(8)) where a != b { return false }
          return true
        }
      }
    }
  }
}

private struct Moments {
  private var count = 0.0
  private(set) var mean = 0.0
  private var squares = 0.0

  init(_ values: some Sequence<Double>) {
    for value in values {
      count += 1
      let off = value - mean
      mean += off / count
      squares += off * (value - mean)
    }
  }

  /// Welch's t of two samples; 0 where one is too small to say anything.
  static func welch(_ a: Moments, _ b: Moments) -> Double {
    guard a.count > 1, b.count > 1 else { return 0 }
    let spread = a.squares / (a.count - 1) / a.count + b.squares / (b.count - 1) / b.count
    return spread > 0 ? (a.mean - b.mean) / spread.squareRoot() : 0
  }
}
