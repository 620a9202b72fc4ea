import Synchronization

/// Gathers the stamps of presses from the threads that see them.
public final class LatencyBook: Sendable {
  /// One press, as the keychain and the bridge name it.
  public struct Key: Hashable, Sendable {
    public let device: String
    /// "boot.n"
    public let event: String

    public init(device: String, event: String) { (self.device, self.event) = (device, event) }
  }

  private struct State {
    var samples: [Key: LatencySample] = [:]
    var committed: Set<Key> = []
    /// Acked since the last look, and since the one before: the light of those is seen by now.
    var fresh: [Key] = []
    var shown: [Key] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// Adds to the stamps of a press, from any thread.
  public func note(_ key: Key, _ fill: (inout LatencySample) -> Void) {
    state.withLock { state in
      var sample = state.samples[key, default: LatencySample()]
      let wasAcked = sample.isAcked
      fill(&sample)
      if sample.isAcked, !wasAcked { state.fresh.append(key) }
      state.samples[key] = sample
    }
  }

  /// The samples that have come since it was asked last, a little late.
  public func takeFresh() -> [LatencySample] {
    state.withLock { state in
      defer {
        state.shown = state.fresh
        state.fresh = []
      }
      return state.shown.compactMap { state.samples[$0] }
    }
  }

  /// The core has made it durable, whether or not its stamps are seen.
  public func committed(_ key: Key) { state.withLock { _ = $0.committed.insert(key) } }

  /// Presses of which a decision is known.
  public var decided: [Key: LatencySample] {
    state.withLock { state in state.samples.filter { $0.value.decided != nil } }
  }

  /// How many presses there are so far of which a decision is known.
  public var count: Int { state.withLock { $0.samples.values.count { $0.decided != nil } } }

  /// Presses that the core has though their decision's stamp is not there.
  var unseen: Int {
    state.withLock { state in
      state.committed.count { state.samples[$0]?.decided == nil }
    }
  }

  /// How many have all the stamps that they may come to have: those of the bridge come last.
  var finished: Int {
    state.withLock { $0.samples.values.count { $0.lit != nil && $0.decided != nil } }
  }
}

extension LatencySample {
  /// Seen by both, keychain and bridge.
  fileprivate var isAcked: Bool { decided != nil && acked != nil }
}
