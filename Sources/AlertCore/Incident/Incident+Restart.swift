import FobBase
import WireProtocol

/// Of an incident that an earlier run left: its counts and moments as this run may use them.
extension Incident {
  /// Counts that are so large have been damaged: from here on they are counted on.
  static let countLimit = 1 << 31

  mutating func limitCounts() {
    func limited(_ count: Int) -> Int { min(max(count, 0), Self.countLimit) }
    messages = limited(messages)
    fixes = limited(fixes)
    furtherPresses = limited(furtherPresses)
  }

  mutating func rebase(to now: Timestamp) {
    limitCounts()
    guard case .open(let stage) = phase else { return }
    var clockWentBack = false
    func moved(_ timestamp: Timestamp) -> Timestamp {
      let (moved, wentBack) = timestamp.rebased(to: now)
      clockWentBack = clockWentBack || wentBack
      return moved
    }
    lastPressAt = lastPressAt.map(moved)
    lastMessageAt = lastMessageAt.map(moved)
    lastFixAt = lastFixAt.map(moved)
    var rebased = stage
    if case .countdown(let ends) = stage {
      // It lies ahead: what is moved is its beginning.
      if ends.boot != now.boot {
        rebased = .countdown(ends: moved(openedAt) + .microseconds(ends.wall &- openedAt.wall))
      }
    } else {
      rebased = stage.rebased(moved)
    }
    phase = .open(clockWentBack ? stage.rebased { _ in now } : rebased)
  }
}

/// An event that came before a disarm, of a keychain that had been out of reach. What an older
/// version stored lacks the last three, and proves nothing.
public struct SeenEvent: Codable, Equatable, Sendable {
  public let device: UInt64
  public let number: UInt64
  public let bootNonce: UInt32
  /// Device clock, µs since its boot.
  public let clock: UInt64?
  public let receivedAt: Timestamp?
  /// Since when presses may have been missed.
  public let missedSince: Timestamp?

  package init(
    device: UInt64, number: UInt64, bootNonce: UInt32, clock: UInt64? = nil,
    receivedAt: Timestamp? = nil, missedSince: Timestamp? = nil
  ) {
    self.device = device
    self.number = number
    self.bootNonce = bootNonce
    self.clock = clock
    self.receivedAt = receivedAt
    self.missedSince = missedSince
  }
}
