public import FobBase
import Synchronization

/// A code that a person reads off the terminal and types into the page, once.
public final class OneTimeCode: Sendable {
  /// Without what is easily taken for another: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V.
  private static let alphabet = Array("ACDEFGHJKMNPQRTWXY34679")
  static let length = 8
  static let lifetime = Interval.minutes(10)
  static let wrongTries = 10

  public let text: String
  private let state: Mutex<State>

  private struct State {
    let expires: Instant
    var wrong = 0
    var isUsed = false
  }

  public init(at now: Instant) {
    var generator = SystemRandomNumberGenerator()
    text = String((0..<Self.length).map { _ in Self.alphabet.randomElement(using: &generator)! })
    state = Mutex(State(expires: now + Self.lifetime))
  }

  /// True the first time that the right code comes in time.
  func exchange(_ tried: String, at now: Instant) -> Bool {
    let isRight = Secret.isSame(Secret.digest(tried.uppercased()), Secret.digest(text))
    return state.withLock { state in
      guard !state.isUsed, state.wrong < Self.wrongTries, now < state.expires else { return false }
      if isRight { state.isUsed = true } else { state.wrong += 1 }
      return isRight
    }
  }
}
