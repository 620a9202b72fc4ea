import FobBase
import WireProtocol

/// Rate limits of each line, so that a defective or hostile keychain delays no other and fills no
/// disk. Of log entries that are held back the latest is told, with how many it stands for. Events
/// that are held back stay with the device, which sends them again.
struct LineRateLimits: Sendable {
  /// Kinds of log entries that a line causes beside its events.
  enum Matter: Int, CaseIterable { case link, trouble, duplicate, numberReused, left }

  /// Limits events twice: for the moment, and over hours.
  private struct RateBrake: Sendable {
    var quick: RateLimiter
    var lasting: RateLimiter

    mutating func take(at now: Instant) -> Bool {
      quick.take(at: now) != nil && lasting.take(at: now) != nil
    }
  }

  private struct Line: Sendable {
    var presses: RateBrake
    /// Of presses in a paired keychain's name that are not proved.
    var unproved: RateBrake
    var others: RateBrake
    var matters: InlineArray<5, Coalesced<AuditEvent>>
    var usedAt: Instant

    init(_ brake: RateBrake, at now: Instant) {
      presses = brake
      unproved = brake
      others = brake
      matters = InlineArray { index in
        Coalesced(Matter.allCases[index].isKept ? Limits.logPace : Limits.noticePace)
      }
      usedAt = now
    }

    var due: Instant? {
      matters.indices.reduce(nil) { .earlier($0, matters[$1].due) }
    }
  }

  private let brake: RateBrake
  private var lines: [LinkID: Line] = [:]
  /// When the next held-back entry is to be told; nil: none is held back.
  private(set) var due: Instant?

  /// - Parameters:
  ///   - pace: of events, for the moment.
  ///   - lasting: of events, over hours.
  init(_ pace: RateLimit, lasting: RateLimit) {
    brake = RateBrake(quick: RateLimiter(pace), lasting: RateLimiter(lasting))
  }

  /// Whether a new event is taken now. Presses, presses that are not proved, and other events have
  /// separate limits: no other event, and no stranger on the wire, keeps a press waiting.
  mutating func decides(_ event: HeardEvent, from link: LinkID, at now: Instant) -> Bool {
    with(link, at: now) { line in
      guard event.isPress else { return line.others.take(at: now) }
      return event.isUnproved ? line.unproved.take(at: now) : line.presses.take(at: now)
    }
  }

  /// - Returns: the entry to tell now; nil: it is held back.
  mutating func take(
    _ auditEvent: AuditEvent, _ matter: Matter, from link: LinkID, at now: Instant
  ) -> AuditEvent? {
    let taken = with(link, at: now) { line in
      line.matters[matter.rawValue].take(auditEvent, at: now)
    }
    guard let taken else {
      due = .earlier(due, lines[link]?.due)
      return nil
    }
    return taken.value.standing(for: taken.count)
  }

  /// Takes the held-back entries that are due.
  mutating func takeHeld(at now: Instant) -> [(Matter, AuditEvent)] {
    guard let due, now >= due else { return [] }
    var told: [(Matter, AuditEvent)] = []
    self.due = nil
    for link in lines.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      for matter in Matter.allCases {
        guard let held = lines[link]?.matters[matter.rawValue].takeHeld(at: now) else { continue }
        told.append((matter, held.value.standing(for: held.count)))
      }
      self.due = .earlier(self.due, lines[link]?.due)
    }
    return told
  }

  private mutating func with<R>(
    _ link: LinkID, at now: Instant, _ body: (inout Line) -> R
  ) -> R {
    // Changed in place: a line is large, and a press waits.
    if let place = lines.index(forKey: link) {
      lines.values[place].usedAt = now
      return body(&lines.values[place])
    }
    makeRoom()
    return body(&lines[link, default: Line(brake, at: now)])
  }

  /// Forgets the line that was quiet longest.
  private mutating func makeRoom() {
    guard lines.count >= Limits.devices else { return }
    let quiet = lines.min { a, b in
      (a.value.usedAt, a.key.rawValue) < (b.value.usedAt, b.key.rawValue)
    }
    if let quiet { lines[quiet.key] = nil }
  }
}

extension LineRateLimits.Matter {
  /// True where the entry goes into the log; false where it is only told live.
  var isKept: Bool {
    switch self {
    case .link, .trouble, .numberReused: true
    case .duplicate, .left: false
    }
  }
}
