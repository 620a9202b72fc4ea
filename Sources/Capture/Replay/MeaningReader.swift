/// Reads the meaning of one end's frames, and skips repetitions: an INDICATE each second, the ack
/// of a duplicate, an event sent again. Session nonces, clocks, revisions, `seq` and the seconds of
/// a countdown have no meaning here.
struct MeaningReader: Sendable {
  private var lastShown: String?
  private var said: Set<Meaning> = []
  private var seenEvents: Set<[UInt8]> = []
  /// The CRCs that an ack may carry, by the number of its event.
  private var checks: [UInt64: Set<UInt64>] = [:]

  /// Notes an event that the other end has sent: its acks are for one of these.
  mutating func learn(event frame: DescribedFrame, body: [UInt8]) {
    guard let number = frame.number("event_no"), let identity = EventCheck.identity(body) else {
      return
    }
    checks[number, default: []].insert(EventCheck.of(identity))
  }

  /// Nil for a frame that means nothing, or nothing new.
  mutating func read(_ frame: DescribedFrame, body: [UInt8]) -> Meaning? {
    guard let meaning = meaning(of: frame, body: body) else { return nil }
    switch meaning.subject {
    case .event: return meaning
    case .shown:
      defer { lastShown = meaning.text }
      return meaning.text == lastShown ? nil : meaning
    case .linked, .acked, .configured, .rejected:
      return said.insert(meaning).inserted ? meaning : nil
    }
  }

  private mutating func meaning(of frame: DescribedFrame, body: [UInt8]) -> Meaning? {
    switch frame.name {
    case "HELLO":
      let isAnswer = frame.number("role") == 0 && frame.number("session_nonce") ?? 0 != 0
      return isAnswer ? Meaning(.linked, "HELLO") : nil
    case "EVENT":
      guard let identity = EventCheck.identity(body), seenEvents.insert(identity).inserted,
        let kind = frame.text(of: "kind")
      else { return nil }
      return Meaning(.event, kind)
    case "EVENT_ACK": return acked(frame)
    case "INDICATE": return shown(frame, "state")
    case "LED_STATE": return shown(frame, "shown_state")
    case "CONFIG", "CONFIG_RESULT":
      let parts = ["key", "value", "result"].compactMap { frame.text(of: $0) }
      return parts.isEmpty ? nil : Meaning(.configured, parts.joined(separator: ", "))
    case "REJECT":
      guard let type = frame.text(of: "rejected_type"), let reason = frame.text(of: "reason")
      else { return nil }
      return Meaning(.rejected, "\(type), \(reason)")
    default: return nil
    }
  }

  private func acked(_ frame: DescribedFrame) -> Meaning? {
    guard let number = frame.number("event_no"), let text = frame.text(of: "event_no"),
      let check = frame.number("identity_crc")
    else { return nil }
    guard let known = checks[number] else { return Meaning(.acked, "\(text), never sent") }
    return Meaning(.acked, known.contains(check) ? text : "\(text), with another identity")
  }

  /// Leaves out the seconds of a countdown, so that a slower run counts as the same.
  private func shown(_ frame: DescribedFrame, _ state: String) -> Meaning? {
    guard var text = frame.text(of: state), let flags = frame.number("flags") else { return nil }
    if let detail = frame.number("detail"), detail > 0, text == "due" { text += " \(detail)" }
    return Meaning(.shown, flags & 1 == 1 ? text + ", sounder" : text)
  }
}

extension DescribedFrame {
  /// The value of a field by its name in messages.json; nil where it is not there.
  func number(_ name: String) -> UInt64? {
    guard case .unsigned(let number)? = fields.first(where: { $0.name == name })?.value else {
      return nil
    }
    return number
  }
}

/// One thing that an end of the link said, without how often it said it and with which numbers. Two
/// runs of the same story have their meanings in common.
public struct Meaning: Hashable, Sendable {
  /// The topic of a meaning. It decides how two runs are compared.
  public enum Subject: String, CaseIterable, Sendable {
    /// HELLO was answered.
    case linked
    /// An event was sent; `text` is its kind.
    case event
    /// An event was acked; `text` begins with its number.
    case acked
    /// A state of the light was asked for or shown; `text` includes the sounder.
    case shown
    case configured
    case rejected

    /// Whether the order counts. Acks may overtake each other, and a state may come before or
    /// after an ack.
    public var isOrdered: Bool { self == .event || self == .shown }
  }

  /// Decides whether the order counts.
  public let subject: Subject
  /// The words of the frame that say it: of an event its kind, of an ack the event's number. Two
  /// meanings are the same if subject and text are equal.
  public let text: String

  /// Both runs must form `text` alike, as it is compared letter by letter.
  public init(_ subject: Subject, _ text: String) {
    self.subject = subject
    self.text = text
  }
}

/// A meaning, and when it was said: microseconds since the beginning of its run.
public struct TimedMeaning: Hashable, Sendable {
  /// Microseconds since the beginning of the run.
  public let at: Int64
  /// The part that ``ReplayComparison`` matches between two runs.
  public let meaning: Meaning

  /// `at` counts microseconds since the beginning of the run.
  public init(at: Int64, _ meaning: Meaning) {
    self.at = at
    self.meaning = meaning
  }
}
