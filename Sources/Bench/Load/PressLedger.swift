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

  /// Host's boot clock, µs.
  private struct Press {
    var edge: Int64?
    var stored: Int64?
    var decided: Int64?
  }

  private struct State {
    /// The edge that closed each keychain's contact last.
    var edges: [String: Int64] = [:]
    var presses: [Key: Press] = [:]
  }

  /// The times of presses from a given instant on.
  public struct Summary: Sendable {
    /// First edge to decided, µs; nil where no press was decided.
    public var pressToDecided: Spread?
    /// Stored to decided, µs; nil where there is no such press.
    public var storedToDecided: Spread?
    /// Presses whose decision is not known.
    public var unseen = 0
  }

  private let state = Mutex(State())

  /// Holds no press.
  public init() {}

  /// Notes that the contact of `device` closed at `edge`, µs on the host's boot clock.
  public func closed(_ device: String, at edge: Int64) {
    state.withLock { $0.edges[device] = edge }
  }

  /// Notes that the firmware stored a press at `instant`, µs on the host's boot clock. Its first
  /// edge is the one that ``closed(_:at:)`` noted last.
  public func stored(_ key: Key, at instant: Int64) {
    state.withLock { state in
      let edge = state.edges[key.device]
      state.presses[key, default: Press()].edge = edge
      state.presses[key]!.stored = instant
    }
  }

  /// Notes that the core decided on a press at `instant`, µs on the host's boot clock.
  public func decided(_ key: Key, at instant: Int64) {
    state.withLock { $0.presses[key, default: Press()].decided = instant }
  }

  /// The presses that keychains have stored.
  public var pressed: Set<Key> {
    state.withLock { state in Set(state.presses.filter { $0.value.stored != nil }.keys) }
  }

  /// - Parameter start: presses with an earlier first edge are left out, µs on the host's boot
  ///   clock.
  public func summary(after start: Int64) -> Summary {
    let presses = state.withLock { $0.presses.values.filter { $0.edge ?? 0 >= start } }
    var summary = Summary()
    summary.pressToDecided = Spread(
      presses.compactMap { press in press.decided.map { $0 - press.edge! } })
    summary.storedToDecided = Spread(
      presses.compactMap { press in
        guard let stored = press.stored else { return nil }
        return press.decided.map { $0 - stored }
      })
    summary.unseen = presses.count { $0.decided == nil }
    return summary
  }
}
