import FobBase
import Synchronization

/// Browsers that have exchanged a one-time code: in memory, so that a restart logs them out.
final class Sessions: Sendable {
  static let lifetime = Interval.seconds(Int64(ConsoleLimits.session))

  private struct Session {
    let digest: [UInt8]
    let expires: Instant
  }

  private let open = Mutex<[Session]>([])

  /// The cookie's value. Where there are too many, the oldest is logged out.
  func begin(at now: Instant) -> String {
    let text = Secret.random()
    open.withLock { open in
      open.removeAll { $0.expires <= now }
      if open.count >= ConsoleLimits.sessions { open.removeFirst() }
      open.append(Session(digest: Secret.digest(text), expires: now + Self.lifetime))
    }
    return text
  }

  func isOpen(_ text: String, at now: Instant) -> Bool {
    let digest = Secret.digest(text)
    return open.withLock { open in
      open.reduce(false) { $0 || ($1.expires > now && Secret.isSame(digest, $1.digest)) }
    }
  }

  func end(_ text: String) {
    let digest = Secret.digest(text)
    open.withLock { open in open.removeAll { Secret.isSame(digest, $0.digest) } }
  }
}
