import FobBase
import WireProtocol

/// What each line may bring about: so a keychain that is defective, or a stranger, delays no other
/// and fills no disk. Of what is held back the latest is told, with how many it stands for; events
/// that are held back stay with the device, which sends them again.
struct LineRateLimits: Sendable {
  /// What a line says that is no event of its own.
  enum Matter: Int, CaseIterable { case link, trouble, duplicate, numberReused, left }

  /// Of events: for the moment, and over hours.
  private struct RateBrake: Sendable {
    var quick: RateLimiter
    var lasting: RateLimiter

    mutating func take(at now: Instant) -> Bool {
      quick.take(at: now) != nil && lasting.take(at: now) != nil
    }
  }

  private struct Line: Sendable {
    var presses: RateBrake
    var others: RateBrake
    var matters: InlineArray<5, Coalesced<AuditEvent>>
    var usedAt: Instant

    init(_ brake: RateBrake, at now: Instant) {
      presses = brake
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
  /// When something that was held back is to be told.
  private(set) var due: Instant?

  /// Of events, for the moment and over hours.
  init(_ pace: RateLimit, lasting: RateLimit) {
    brake = RateBrake(quick: RateLimiter(pace), lasting: RateLimiter(lasting))
  }

  /// Whether a new event is decided now. Presses and the rest count apart, so that no other event
  /// keeps a press waiting.
  mutating func decides(_ identity: EventIdentity, from link: LinkID, at now: Instant) -> Bool {
    let isPress = identity.kind == .pressed
    return with(link, at: now) { isPress ? $0.presses.take(at: now) : $0.others.take(at: now) }
  }

  /// - Returns: what is to be told now; nil: it is held back.
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

  /// What was held back and is to be told now.
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
    // Where it stands: a line is large, and a press waits.
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
  /// In the log, and not told live alone.
  var isKept: Bool {
    switch self {
    case .link, .trouble, .numberReused: true
    case .duplicate, .left: false
    }
  }
}
