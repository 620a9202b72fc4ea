public import FobBase
import Synchronization
import SystemCrypto

/// A code that a person reads off the terminal and types into the page, once. It lives for ten
/// minutes, whatever others try: `CodeAttempts` says why that is safe.
public final class OneTimeCode: Sendable {
  /// Without what is easily taken for another: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V.
  private static let alphabet = Array("ACDEFGHJKMNPQRTWXY34679")
  static let length = 8
  static let lifetime = Interval.minutes(10)

  public let text: String
  private let state: Mutex<State>

  private struct State {
    let expires: Instant
    var tries = CodeAttempts()
    var isUsed = false
  }

  enum Outcome: Equatable {
    case right
    /// Or used, or too old.
    case wrong
    /// It was not looked at.
    case wait(Interval)
  }

  public init(at now: Instant) {
    var generator = SystemRandomNumberGenerator()
    text = String((0..<Self.length).map { _ in Self.alphabet.randomElement(using: &generator)! })
    state = Mutex(State(expires: now + Self.lifetime))
  }

  /// Right the first time that the right code comes in time.
  func exchange(_ tried: String, from peer: PeerAddress, at now: Instant) -> Outcome {
    let isRight = Digests.isSame(Secret.digest(tried.uppercased()), Secret.digest(text))
    return state.withLock { state in
      if let wait = state.tries.wait(peer, at: now) { return .wait(wait) }
      guard isRight, !state.isUsed, now < state.expires else {
        state.tries.failed(peer, at: now)
        return .wrong
      }
      state.isUsed = true
      return .right
    }
  }
}
