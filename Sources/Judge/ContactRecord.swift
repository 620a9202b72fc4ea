import FobBase

/// The messages of one host to one contact about one incident.
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
  /// The account has this contact, who is therefore to be told.
  var isRecipient = true
  /// The contact got a message other than a closing one, in any run.
  var wasRaised = false
  /// Positions in the order of the host's observations: when it first and last told the contact of
  /// the incident by this id, and when it told of its end; 0: never.
  var firstHanded = 0
  var lastHanded = 0
  var closed = 0
  /// The run that `toldSequence` and `isClosed` are about.
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

  /// The contact got a message.
  /// - Returns: whether it came in order within this run.
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

  /// A message is under way, or will soon be tried again.
  func isBeingTried(at now: Instant) -> Bool {
    guard let last else { return false }
    switch last.outcome {
    case .waits: return now - last.at <= Rules.silence
    case .told: return false
    case .refused(let since): return now - since <= Rules.backOff
    }
  }
}
