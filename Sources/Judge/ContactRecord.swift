import FobBase

/// What one host has told one contact about one incident.
struct ContactRecord: Sendable {
  enum Outcome: Equatable, Sendable { case waits, told, refused(Instant) }

  /// The message that was handed out last.
  struct Handed: Sendable {
    var message: Message
    var at: Instant
    var run: Int
    var outcome = Outcome.waits
  }

  var last: Handed?
  /// The account tells this contact.
  var isRecipient = true
  /// Anything but a closing message, in any run.
  var wasRaised = false
  /// In the order of what is seen of the host: when it was last told of the incident by this name,
  /// for the first and for the last time, and when of its end.
  var firstHanded = 0
  var lastHanded = 0
  var closed = 0
  /// Of run `toldIn`.
  private var toldIn = 0
  private var toldSequence = 0
  private var isClosed = false

  mutating func handOut(_ message: Message, at now: Instant, run: Int, order: Int) {
    last = Handed(message: message, at: now, run: run)
    guard message.kind != .closing else { return }
    if firstHanded == 0 { firstHanded = order }
    lastHanded = order
  }

  mutating func answer(_ message: Message, _ outcome: Outcome) {
    if last?.message.key == message.key { last?.outcome = outcome }
  }

  /// - Returns: whether it came in order, as far as this run is concerned.
  mutating func tell(_ message: Message, run: Int) -> Bool {
    if toldIn != run {
      toldIn = run
      toldSequence = 0
      isClosed = false
    }
    let isInOrder =
      message.sequence >= toldSequence && !(isClosed && message.kind != .closing)
    toldSequence = max(toldSequence, message.sequence)
    if message.kind == .closing { isClosed = true } else { wasRaised = true }
    return isInOrder
  }

  /// It is under way, or will soon be tried again.
  func isBeingTried(at now: Instant) -> Bool {
    guard let last else { return false }
    switch last.outcome {
    case .waits: return now - last.at <= Rules.silence
    case .told: return false
    case .refused(let since): return now - since <= Rules.backOff
    }
  }
}
