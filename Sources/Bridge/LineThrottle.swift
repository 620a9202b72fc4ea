import FobBase

/// Limits events that a device can cause as often as it likes. The first ones pass at once; of the
/// held ones the latest passes later, with the number that it stands for.
struct LineThrottle: Sendable {
  enum Matter: Int, CaseIterable {
    /// About the line: it was opened, cannot be opened, is noisy, has no answer, or was set by
    /// another program.
    case opening, closing, noise, unanswered, unproved, mode
    /// About the device: frames that it rejects, its version, and contradictions in its answers.
    case rejected, version, contest
    case light, position, stages

    fileprivate var pace: RateLimit {
      switch self {
      case .light, .position, .stages: Limits.readingPace
      default: Limits.noticePace
      }
    }
  }

  private var matters: InlineArray<12, Coalesced<BridgeEvent>>
  /// When to call `takeHeld` next; nil if nothing is held.
  private(set) var due: Instant?

  init() { matters = InlineArray { Coalesced(Matter(rawValue: $0)!.pace) } }

  /// - Returns: the event to tell now; nil if it is held back.
  mutating func take(_ event: BridgeEvent, _ matter: Matter, at now: Instant) -> BridgeEvent? {
    let taken = matters[matter.rawValue].take(event, at: now)
    if taken == nil { due = .earlier(due, matters[matter.rawValue].due) }
    return taken.map { $0.value.standing(for: $0.count) }
  }

  /// The held events that are due.
  mutating func takeHeld(at now: Instant) -> [BridgeEvent] {
    guard let due, now >= due else { return [] }
    self.due = nil
    var told: [BridgeEvent] = []
    for index in matters.indices {
      if let held = matters[index].takeHeld(at: now) {
        told.append(held.value.standing(for: held.count))
      }
      self.due = .earlier(self.due, matters[index].due)
    }
    return told
  }
}

extension BridgeEvent {
  /// The last of several notices says how many there were. Of readings, such as light and position,
  /// only the last one counts.
  fileprivate func standing(for count: UInt32) -> BridgeEvent {
    guard count > 1, case .notice(let notice) = self else { return self }
    let text = "\(notice.text) (the last of \(count) like it)"
    return .notice(notice.level, text)
  }
}
