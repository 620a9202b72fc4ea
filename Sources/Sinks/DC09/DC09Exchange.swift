import FobBase

/// One message and what a receiver says to it, as a machine: answers, losses and time come in, what
/// is to be sent and how it ended go out. It says that the message is delivered only after the ACK
/// of its own number and account; encrypted, and of its own time, where the message was.
///
/// - Without an answer it is sent again, with its number and a new time.
/// - A NAK means that the times differ: it is sent again by the receiver's, once.
/// - A receiver that refuses it still, or cannot read it, gets it once more without what is not
///   needed to understand it.
struct DC09Exchange {
  /// How long a receiver may take.
  struct Patience: Equatable, Sendable {
    /// After so long without an answer it is sent again.
    var repeatsAfter = Interval.seconds(3)
    /// So often at most.
    var repeats = 2
    /// All of it, from the connecting on.
    var lasts = Interval.seconds(10)
  }

  enum Effect: Equatable {
    /// - Parameters:
    ///   - wall: the time that the message bears, µs since 1970.
    ///   - isShort: without its extended data.
    case send(wall: Int64, isShort: Bool)
    case delivered
    /// Why, as a clause.
    case failed(String)
  }

  /// An encrypted ACK may be so far from the time of the message, which its receiver has taken for
  /// its own by 20 to 40 s (5.5.1.9).
  static let timeDiffersBy = Interval.seconds(60)

  private let message: DC09Message
  private let isEncrypted: Bool
  private let patience: Patience
  private let earliest: Int64
  private let end: Instant
  private var repeatsAt: Instant
  private var repeats = 0
  /// How far the receiver's time is ahead, µs; nil: it has not said so.
  private var ahead: Int64?
  private var isShort = false
  /// What was sent and not answered.
  private var unanswered = 0
  /// Refusals that are still to come of what was sent before the last change.
  private var outdated = 0
  private var flaw: DC09Flaw?
  /// The time of an encrypted ACK that has delivered it, µs since 1970.
  private(set) var confirmedWall: Int64?

  /// - Parameters:
  ///   - earliest: the receiver's time cannot be before it, µs since 1970: an encrypted answer that
  ///     is, was recorded, or a NAK leads to one that was.
  ///   - now: when the connecting began.
  init(
    _ message: DC09Message, isEncrypted: Bool, patience: Patience = Patience(),
    notBefore earliest: Int64 = 0, at now: Instant
  ) {
    self.message = message
    self.isEncrypted = isEncrypted
    self.patience = patience
    self.earliest = earliest
    end = now + patience.lasts
    repeatsAt = end
  }

  /// When `wake` is due.
  var nextWake: Instant { min(end, repeatsAt) }

  /// The connection stands.
  mutating func begin(at now: Instant, wall: Int64) -> Effect { send(at: now, wall) }

  /// - Parameters:
  ///   - answer: one that came, or what is wrong with it.
  ///   - wall: this host's time, µs since 1970.
  /// - Returns: nil: it waits on.
  mutating func hear(
    _ answer: Result<DC09Answer, DC09Flaw>, at now: Instant, wall: Int64
  ) -> Effect? {
    switch answer {
    case .failure(let flaw):
      self.flaw = flaw
      return nil
    case .success(let answer):
      flaw = mismatch(of: answer, wall)
      guard flaw == nil else { return nil }
      if answer.word == .ack {
        confirmedWall = isEncrypted ? answer.wall : nil
        return .delivered
      }
      return isNews() ? refuse(answer, at: now, wall) : nil
    }
  }

  /// The connection has ended.
  /// - Returns: why it was not delivered.
  func lose(_ trouble: String) -> String { flaw.map { "\(trouble): \($0.words)" } ?? trouble }

  /// The time has come that `nextWake` has named.
  mutating func wake(at now: Instant, wall: Int64) -> Effect? {
    if now >= end { return .failed(lose("it did not confirm in time")) }
    guard now >= repeatsAt else { return nil }
    repeats += 1
    return send(at: now, wall)
  }

  private mutating func send(at now: Instant, _ wall: Int64) -> Effect {
    unanswered += 1
    repeatsAt = repeats < patience.repeats ? now + patience.repeatsAfter : end
    return .send(wall: wall &+ (ahead ?? 0), isShort: isShort)
  }

  /// Whether a refusal is of the message as it was sent last: each is that of what was sent first
  /// of what has none yet.
  private mutating func isNews() -> Bool {
    guard unanswered > 0 else { return false }
    unanswered -= 1
    guard outdated == 0 else {
      outdated -= 1
      return false
    }
    outdated = unanswered
    return true
  }

  private mutating func refuse(
    _ answer: DC09Answer, at now: Instant, _ wall: Int64
  ) -> Effect {
    if answer.word == .nak, ahead == nil, let theirs = answer.wall {
      ahead = theirs - wall
      return send(at: now, wall)
    }
    if !isShort, !message.content.extended.isEmpty {
      isShort = true
      return send(at: now, wall)
    }
    return .failed(
      answer.word == .nak
        ? "it refuses the message (NAK): compare account, key and clocks"
        : "it cannot read such events (DUH)")
  }

  private func mismatch(of answer: DC09Answer, _ wall: Int64) -> DC09Flaw? {
    if isEncrypted, let theirs = answer.wall, theirs < earliest { return .time }
    // A NAK bears neither number nor account.
    if answer.word == .nak { return nil }
    if answer.sequence != message.sequence { return .sequence }
    if Self.bare(answer.account) != Self.bare(message.place.account) { return .account }
    // A DUH may come in the open: it leaves the message undelivered.
    guard isEncrypted, answer.word == .ack else { return nil }
    guard answer.isEncrypted, let theirs = answer.wall else { return .open }
    let differs = (theirs - (wall &+ (ahead ?? 0))).magnitude
    return differs <= UInt64(Self.timeDiffersBy.microseconds) ? nil : .time
  }

  /// Some receivers keep it as a number.
  private static func bare(_ account: String) -> Substring { account.drop { $0 == "0" } }
}
