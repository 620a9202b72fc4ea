import FobBase
import Synchronization
import SystemCrypto

/// Browsers that have exchanged a one-time code: in memory, so that a restart logs them out, and
/// no other core knows them.
///
/// Each is known by two secrets: a cookie, which no script reads, and a key, which the page keeps.
/// A browser hands cookies to every port of a host, and the key to nobody but the page's origin.
final class Sessions: Sendable {
  static let lifetime = Interval.seconds(Int64(ConsoleLimits.session))

  struct Secrets: Sendable {
    let cookie: String
    let key: String
  }

  private struct Session {
    let id: String
    let cookie: [UInt8]
    let key: [UInt8]
    let expires: Instant
  }

  private let open = Mutex<[Session]>([])

  /// Where there are too many, the oldest is logged out.
  func begin(at now: Instant) -> Secrets {
    let secrets = Secrets(cookie: Secret.random(), key: Secret.random())
    open.withLock { open in
      open.removeAll { $0.expires <= now }
      if open.count >= ConsoleLimits.sessions { open.removeFirst() }
      open.append(
        Session(
          id: String(Secret.random().prefix(10)), cookie: Secret.digest(secrets.cookie),
          key: Secret.digest(secrets.key), expires: now + Self.lifetime))
    }
    return secrets
  }

  /// - Returns: nil where no session is open that has both; every one is compared.
  func id(cookie: String, key: String, at now: Instant) -> String? {
    let (cookie, key) = (Secret.digest(cookie), Secret.digest(key))
    return open.withLock { open in
      var found: String?
      for session in open where session.expires > now {
        let isCookie = Digests.isSame(cookie, session.cookie)
        let isKey = Digests.isSame(key, session.key)
        if isCookie && isKey { found = session.id }
      }
      return found
    }
  }

  func has(_ id: String, at now: Instant) -> Bool {
    open.withLock { open in open.contains { $0.id == id && $0.expires > now } }
  }

  func end(_ id: String) { open.withLock { open in open.removeAll { $0.id == id } } }
}
