import Synchronization

/// Gathers the stamps of presses from the threads that see them.
public final class LatencyBook: Sendable {
  /// One press, as the keychain and the bridge name it.
  public struct Key: Hashable, Sendable {
    /// The same text from keychain and bridge, or their stamps do not meet.
    public let device: String
    /// "boot.n"
    public let event: String

    /// Both texts are compared as they are.
    public init(device: String, event: String) { (self.device, self.event) = (device, event) }
  }

  private struct State {
    var samples: [Key: LatencySample] = [:]
    var committed: Set<Key> = []
    /// `fresh`: acked since the last look. `shown`: acked before that, so their light is seen by
    /// now.
    var fresh: [Key] = []
    var shown: [Key] = []
  }

  private let state = Mutex(State())

  /// Holds no press.
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

  /// The samples acked before the previous call and not taken yet: by then their light is seen,
  /// too.
  public func takeFresh() -> [LatencySample] {
    state.withLock { state in
      defer {
        state.shown = state.fresh
        state.fresh = []
      }
      return state.shown.compactMap { state.samples[$0] }
    }
  }

  /// Notes that the core has made the press durable, whether or not its stamps are seen.
  public func committed(_ key: Key) { state.withLock { _ = $0.committed.insert(key) } }

  /// The presses with a known decision.
  public var decided: [Key: LatencySample] {
    state.withLock { state in state.samples.filter { $0.value.decided != nil } }
  }

  /// How many presses have a known decision so far.
  public var count: Int { state.withLock { $0.samples.values.count { $0.decided != nil } } }

  /// How many presses the core has whose decision has no stamp.
  var unseen: Int {
    state.withLock { state in
      state.committed.count { state.samples[$0]?.decided == nil }
    }
  }

  /// How many presses have a known light and decision. The bridge's stamps come last.
  var finished: Int {
    state.withLock { $0.samples.values.count { $0.lit != nil && $0.decided != nil } }
  }
}

extension LatencySample {
  /// Whether both keychain and bridge have seen the press.
  fileprivate var isAcked: Bool { decided != nil && acked != nil }
}
