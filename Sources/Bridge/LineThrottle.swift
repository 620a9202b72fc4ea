import FobBase

/// What a line's watchers are told that its device can bring about as often as it likes. The first
/// ones are told at once; of what is held back the latest, with how many it stands for.
struct LineThrottle: Sendable {
  enum Matter: Int, CaseIterable {
    /// Of the line: it was opened, cannot be opened, brings noise, nothing answers, or another
    /// program has set it.
    case opening, closing, noise, unanswered, mode
    /// Of the device: what it does not understand, and what of it is not understood.
    case rejected, version, contest
    case light, position, stages

    fileprivate var pace: RateLimit {
      switch self {
      case .light, .position, .stages: Limits.readingPace
      default: Limits.noticePace
      }
    }
  }

  private var matters: InlineArray<11, Coalesced<BridgeEvent>>

  init() { matters = InlineArray { Coalesced(Matter(rawValue: $0)!.pace) } }

  /// - Returns: what is to be told now; nil: it is held back.
  mutating func take(_ event: BridgeEvent, _ matter: Matter, at now: Instant) -> BridgeEvent? {
    matters[matter.rawValue].take(event, at: now).map { $0.value.standing(for: $0.count) }
  }

  /// What was held back and is to be told now.
  mutating func takeHeld(at now: Instant) -> [BridgeEvent] {
    guard let due, now >= due else { return [] }
    return Matter.allCases.compactMap { matter in
      matters[matter.rawValue].takeHeld(at: now).map { $0.value.standing(for: $0.count) }
    }
  }

  /// When `takeHeld` is next worth a call.
  var due: Instant? {
    matters.indices.reduce(nil) { .earlier($0, matters[$1].due) }
  }
}

extension BridgeEvent {
  /// The last of several; of what is read, as light and position, only the last counts.
  fileprivate func standing(for count: UInt32) -> BridgeEvent {
    guard count > 1, case .notice(let notice) = self else { return self }
    let text = "\(notice.text) (the last of \(count) like it)"
    return .notice(notice.level, text)
  }
}
