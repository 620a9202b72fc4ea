import AlertCore
public import FobBase
import Foundation
import SerialIO
import Synchronization
import SystemCrypto

/// Browsers that have exchanged a one-time code, or shown the account's mail address and PIN. They
/// are kept in the core's state folder as digests that let nobody in, so that they outlive a
/// restart; no other core knows them.
///
/// A session has two secrets: a cookie, which no script reads, and a key, which the page keeps. A
/// browser sends cookies to every port of a host, but the key only to the page's origin.
final class Sessions: Sendable {
  static let lifetime = Interval.seconds(Int64(ConsoleLimits.session))

  struct Secrets: Sendable {
    let cookie: String
    let key: String
  }

  struct Session: Sendable {
    let id: String
    let cookie: [UInt8]
    let key: [UInt8]
    /// The number of the account that it is of; nil: the whole core.
    let account: Int?
    let expires: Instant
  }

  private let open: Mutex<[Session]>
  private let file: SessionFile?

  /// - Parameter folder: where they are kept; nil: in memory alone.
  init(folder: String? = nil, at now: Instant = BootClock.now()) {
    file = folder.map { SessionFile(path: $0 + "/sessions.json") }
    open = Mutex(file?.read(at: now) ?? [])
  }

  /// Beyond the limit, the account's oldest session is logged out. Writes to the disk.
  /// - Parameter account: of which it is; nil: of the whole core.
  func begin(of account: AccountNumber? = nil, at now: Instant) -> Secrets {
    let secrets = Secrets(cookie: Secret.random(), key: Secret.random())
    open.withLock { open in
      open.removeAll { $0.expires <= now }
      let own = open.indices.filter { open[$0].account == account?.rawValue }
      if own.count >= ConsoleLimits.sessions { open.remove(at: own[0]) }
      open.append(
        Session(
          id: String(Secret.random().prefix(10)), cookie: Secret.digest(secrets.cookie),
          key: Secret.digest(secrets.key), account: account?.rawValue,
          expires: now + Self.lifetime))
      // Where the disk fails it holds until the next restart.
      _ = file?.write(open, at: now)
    }
    return secrets
  }

  /// - Returns: nil if no open session has both; all are compared, so that the time tells nothing.
  func session(cookie: String, key: String, at now: Instant) -> Session? {
    let (cookie, key) = (Secret.digest(cookie), Secret.digest(key))
    return open.withLock { open in
      var found: Session?
      for session in open where session.expires > now {
        let isCookie = Digests.isSame(cookie, session.cookie)
        let isKey = Digests.isSame(key, session.key)
        if isCookie && isKey { found = session }
      }
      return found
    }
  }

  func has(_ id: String, at now: Instant) -> Bool {
    open.withLock { open in open.contains { $0.id == id && $0.expires > now } }
  }

  /// Ends those that `isMeant` takes. Writes to the disk.
  /// - Returns: false where that failed: a restart lets the browsers in again.
  func end(at now: Instant, where isMeant: (Session) -> Bool) -> Bool {
    open.withLock { open in
      let before = open.count
      open.removeAll(where: isMeant)
      return open.count == before || file?.write(open, at: now) ?? true
    }
  }
}

/// Random secrets, and the digests that are stored of them.
enum Secret {
  /// 32 random bytes as base64url, 43 characters.
  static func random() -> String {
    base64URL(Digests.random(32))
  }

  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// - Returns: nil for a text that `base64URL` would not write.
  static func bytes(base64URL text: some StringProtocol) -> [UInt8]? {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: plain + padding), base64URL(data) == String(text) else {
      return nil
    }
    return Array(data)
  }

  static func digest(_ text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }
}

/// A code that a person reads off the terminal and types into the page, once. It is valid for ten
/// minutes, whatever others try: `CodeAttempts` says why that is safe. A new one takes its place.
public final class OneTimeCode: Sendable {
  /// Leaves out characters that look alike: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V.
  private static let alphabet = Array("ACDEFGHJKMNPQRTWXY34679")
  static let length = 8
  static let lifetime = Interval.minutes(10)

  private let state: Mutex<State>

  private struct State {
    var text: String
    var expires: Instant
    var tries = CodeAttempts()
    var isUsed = false
  }

  /// Eight characters for the terminal; either case may be typed.
  public var text: String { state.withLock { $0.text } }

  /// The code while it still opens the page; nil once it is used or too old.
  public func open(at now: Instant) -> String? {
    state.withLock { !$0.isUsed && now < $0.expires ? $0.text : nil }
  }

  enum Outcome: Equatable {
    case right
    /// Wrong, used or too old.
    case wrong
    /// Not checked: this address must wait.
    case wait(Interval)
  }

  /// A new code, valid for ten minutes from `now` on the boot clock.
  public init(at now: Instant) {
    state = Mutex(State(text: Self.random(), expires: now + Self.lifetime))
  }

  /// A fresh code in place of the last one, which is void from now on.
  public func renew(at now: Instant) -> String {
    state.withLock { state in
      state.text = Self.random()
      state.expires = now + Self.lifetime
      state.isUsed = false
      return state.text
    }
  }

  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in alphabet.randomElement(using: &generator)! })
  }

  /// Accepts the right code once, while it is valid.
  func exchange(_ tried: String, from peer: PeerAddress, at now: Instant) -> Outcome {
    let tried = Secret.digest(tried.uppercased())
    return state.withLock { state in
      let isRight = Digests.isSame(tried, Secret.digest(state.text))
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

/// Counts wrong one-time codes, or mail addresses, by address and in all, and makes those who try
/// wait. Wrong codes never make the code void, since then anybody could keep its owner out.
///
/// That is safe because of the code's size: 8 of 23 letters and digits, 7.8 · 10^10 codes, for ten
/// minutes. One address has some 30 tries in that time. All addresses that have been wrong before
/// share ten tries a second, 6,000 in all: 1 in 13 million. If every try came from its own address
/// and the server answered 10,000 a second, it would be 1 in 13,000.
struct CodeAttempts: Sendable {
  private struct Attempts {
    var wrong = 0
    var until = Instant(microseconds: 0)
    var last = Instant(microseconds: 0)
  }

  /// How long who was wrong waits.
  struct Pace: Sendable {
    let firstWait: Interval
    let maxWait: Interval
    let freeOfAll: Int
    let waitOfAll: Interval

    static let codes = Pace(
      firstWait: .seconds(1), maxWait: .seconds(30), freeOfAll: 100, waitOfAll: .milliseconds(100))
    /// There are far fewer mail addresses than codes, and one that is right tells who has an
    /// account.
    static let emails = Pace(
      firstWait: .seconds(30), maxWait: .minutes(15), freeOfAll: 20, waitOfAll: .seconds(10))
  }

  static let free = 5
  private static let maxAddresses = 1_024

  private let pace: Pace
  private var addresses: [PeerAddress: Attempts] = [:]
  private var all = Attempts()

  init(_ pace: Pace = .codes) { self.pace = pace }

  /// How long this address must wait; nil if it may try now. An address without a wrong code does
  /// not wait for the others.
  func wait(_ address: PeerAddress, at now: Instant) -> Interval? {
    guard let own = addresses[address] else { return nil }
    let until = max(own.until, all.until)
    return until > now ? until - now : nil
  }

  mutating func failed(_ address: PeerAddress, at now: Instant) {
    makeRoom(for: address)
    var own = addresses[address] ?? Attempts()
    own.wrong += 1
    own.last = now
    if own.wrong >= Self.free {
      let doublings = Int64(min(own.wrong - Self.free, 5))
      own.until =
        now + min(.microseconds(pace.firstWait.microseconds << doublings), pace.maxWait)
    }
    addresses[address] = own
    all.wrong += 1
    if all.wrong >= pace.freeOfAll { all.until = now + pace.waitOfAll }
  }

  private mutating func makeRoom(for address: PeerAddress) {
    guard addresses[address] == nil, addresses.count == Self.maxAddresses else { return }
    if let oldest = addresses.min(by: { $0.value.last < $1.value.last }) {
      addresses[oldest.key] = nil
    }
  }
}
