import Synchronization

/// Matches the presses that many keychains stored with the core's decisions, by device and event
/// number. Both sides write from threads of their own.
public final class PressLedger: Sendable {
  /// The name of a press, the same on both sides.
  public struct Key: Hashable, Sendable {
    /// Sixteen hexadecimal digits.
    public let device: String
    /// "boot.n"
    public let event: String

    /// Both texts must have the form of the properties, or the sides do not match.
    public init(device: String, event: String) { (self.device, self.event) = (device, event) }
  }

  /// What comes of a press after its first edge, each at a time of its own.
  public enum Stage: Sendable {
    /// The firmware has stored it.
    case stored
    /// The core has decided.
    case decided
    /// The commit is on the disk.
    case durable
    /// The notification channel has the first message of the alarm that it opened.
    case told
    /// The keychain shows "accepted".
    case lit
  }

  private struct State {
    /// The edge that closed each keychain's contact last, µs on the host's boot clock.
    var edges: [String: Int64] = [:]
    /// The edge that a stored press began with.
    var pressed: [Key: Int64] = [:]
    var stages: [Stage: [Key: Int64]] = [:]
  }

  private let state = Mutex(State())

  /// Holds no press.
  public init() {}

  /// Notes that the contact of `device` closed at `edge`, µs on the host's boot clock.
  public func closed(_ device: String, at edge: Int64) {
    state.withLock { $0.edges[device] = edge }
  }

  /// Notes the time of a stage of a press, µs on the host's boot clock; the first that is noted
  /// counts. The first edge of a stored press is the one that ``closed(_:at:)`` noted last.
  public func note(_ stage: Stage, of key: Key, at instant: Int64) {
    state.withLock { state in
      if stage == .stored { state.pressed[key] = state.edges[key.device] ?? instant }
      if state.stages[stage]?[key] == nil { state.stages[stage, default: [:]][key] = instant }
    }
  }

  /// The presses that keychains have stored.
  public var pressed: Set<Key> { state.withLock { Set($0.pressed.keys) } }

  /// How long it took from a stage to another, or from the first edge, over the presses that have
  /// both.
  /// - Parameters:
  ///   - first: nil: the first edge.
  ///   - start: presses with an earlier first edge are left out, µs on the host's boot clock.
  /// - Returns: µs; nil where there is no such press.
  public func spread(from first: Stage? = nil, to last: Stage, after start: Int64) -> Spread? {
    state.withLock { state in
      let ends = state.stages[last] ?? [:]
      return Spread(
        state.pressed.compactMap { key, edge in
          guard edge >= start, let end = ends[key] else { return nil }
          guard let first else { return end - edge }
          return state.stages[first]?[key].map { end - $0 }
        })
    }
  }

  /// Stored presses, from `start` on as in `spread`, of which it is not known when they reached a
  /// stage.
  public func unseen(_ stage: Stage, after start: Int64) -> Int {
    state.withLock { state in
      state.pressed.count { $1 >= start && state.stages[stage]?[$0] == nil }
    }
  }
}
