import AlertCore
import FobBase
import HTTPTypes
import SerialIO
import Synchronization

/// How often the requests of each account may change, or erase, what is kept: the log keeps an
/// entry of each change, and one account must not fill the disk of all.
final class ChangeRates: Sendable {
  private let rate: RateLimit
  /// Of accounts that are, or were, there.
  private let limiters = Mutex<[AccountNumber: RateLimiter]>([:])

  init(_ rate: RateLimit) { self.rate = rate }

  /// - Throws: `Problem` where the account has too many; it says when to try again.
  func count(for caller: Caller?) throws(Problem) {
    let (account, now) = (caller?.account ?? .first, BootClock.now())
    let due = limiters.withLock { limiters -> Instant? in
      var own = limiters[account] ?? RateLimiter(rate)
      defer { limiters[account] = own }
      return own.take(at: now) == nil ? own.due : nil
    }
    guard let due else { return }
    var problem = Problem(
      .tooManyRequests, "tooManyChanges", "this account is changed too often; wait")
    problem.retryAfterSeconds = (due - now).roundedUpSeconds
    throw problem
  }
}
