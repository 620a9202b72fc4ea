import Synchronization

/// The presses of many keychains as their firmware stored them and as the core decided, matched by
/// device and event number. Both sides write from threads of their own.
public final class PressLedger: Sendable {
  public struct Key: Hashable, Sendable {
    /// Sixteen hexadecimal digits.
    public let device: String
    /// "boot.n"
    public let event: String

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

  public struct Summary: Sendable {
    public var pressToDecided: Spread?
    public var storedToDecided: Spread?
    public var unseen = 0
  }

  private let state = Mutex(State())

  public init() {}

  public func closed(_ device: String, at edge: Int64) {
    state.withLock { $0.edges[device] = edge }
  }

  public func stored(_ key: Key, at instant: Int64) {
    state.withLock { state in
      let edge = state.edges[key.device]
      state.presses[key, default: Press()].edge = edge
      state.presses[key]!.stored = instant
    }
  }

  public func decided(_ key: Key, at instant: Int64) {
    state.withLock { $0.presses[key, default: Press()].decided = instant }
  }

  /// What keychains have stored.
  public var pressed: Set<Key> {
    state.withLock { state in Set(state.presses.filter { $0.value.stored != nil }.keys) }
  }

  /// - Parameter after: presses whose first edge was before are left out.
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
