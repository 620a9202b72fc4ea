import AlertCore
import Emulator
import FobBase
import WireProtocol

/// The network between a bridge and its core: posts and answers come in any order, each stream in
/// its own.
struct FeedNetwork {
  enum Parcel {
    // To the core
    case batch(CheckedFeed, post: Int)
    case opens(stream: Int, BridgeRun)
    /// The bridge has closed it.
    case left(stream: Int)
    // To the bridge
    case answer(post: Int, [EventAck], FeedSignal.Shown? = nil)
    /// Nobody listens, or the connection was lost.
    case failed(post: Int)
    case signal(stream: Int, FeedSignal)
    case ended(stream: Int)

    fileprivate var stream: Int? {
      switch self {
      case .opens(let stream, _), .left(let stream), .signal(let stream, _), .ended(let stream):
        stream
      case .batch, .answer, .failed: nil
      }
    }
  }

  static let slowest: Int64 = 3_000_000

  private var troubles: [FeedTrouble] = []
  private var parcels: [(at: Instant, parcel: Parcel)] = []
  private var held: [Parcel] = []
  /// When the last parcel of each stream comes.
  private var streamAt: [Int: Instant] = [:]
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  var nextDue: Instant { parcels.first?.at ?? .never }

  var isCut: Bool { troubles.contains(.cut) }

  mutating func begin(_ trouble: FeedTrouble) { troubles.append(trouble) }

  mutating func end(_ trouble: FeedTrouble, at now: Instant) {
    troubles.firstIndex(of: trouble).map { _ = troubles.remove(at: $0) }
    guard !isCut else { return }
    let held = held
    self.held = []
    for parcel in held { carry(parcel, at: now) }
  }

  mutating func clear(at now: Instant) {
    for trouble in troubles { end(trouble, at: now) }
  }

  mutating func send(_ parcel: Parcel, at now: Instant) {
    switch parcel {
    case .batch(_, let post) where troubles.contains(.losesBatches),
      .answer(let post, _, _) where troubles.contains(.losesAnswers):
      // The connection may be lost as well, so that the bridge knows; otherwise it waits in vain.
      if Bool.random(using: &random) { carry(.failed(post: post), at: now) }
    case .batch where troubles.contains(.doublesBatches) && Bool.random(using: &random):
      carry(parcel, at: now)
      let later = now + .microseconds(.random(in: 0...Self.slowest, using: &random))
      carry(parcel, at: later)
    default: carry(parcel, at: now)
    }
  }

  private mutating func carry(_ parcel: Parcel, at now: Instant) {
    guard !isCut else { return held.append(parcel) }
    let longest = troubles.contains(.slow) ? Self.slowest : 5_000
    var at = now + .microseconds(.random(in: 100...longest, using: &random))
    if let stream = parcel.stream {
      at = max(at, streamAt[stream] ?? at)
      streamAt[stream] = at
    }
    let place = parcels.firstIndex { $0.at > at } ?? parcels.count
    parcels.insert((at, parcel), at: place)
  }

  mutating func take(upTo now: Instant) -> Parcel? {
    guard let first = parcels.first, first.at <= now else { return nil }
    return parcels.removeFirst().parcel
  }
}
