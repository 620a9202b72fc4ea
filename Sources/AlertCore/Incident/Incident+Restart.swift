import FobBase
import WireProtocol

/// Brings an incident of an earlier run into the terms of this run.
extension Incident {
  /// Larger counts come from damage: they are cut to this.
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
      // The end lies ahead, so its beginning is moved instead.
      if ends.boot != now.boot {
        rebased = .countdown(ends: moved(openedAt) + .microseconds(ends.wall &- openedAt.wall))
      }
    } else {
      rebased = stage.rebased(moved)
    }
    phase = .open(clockWentBack ? stage.rebased { _ in now } : rebased)
  }
}

/// An event that came before a disarm, of a keychain that had been out of reach. An older version
/// stored it without the last three fields; then it proves nothing.
public struct SeenEvent: Equatable, Sendable {
  /// `DeviceID.rawValue`.
  public let device: UInt64
  /// `EventNumber.rawValue`: boot counter and number together.
  public let number: UInt64
  /// Random in each boot of a keychain that is well.
  public let bootNonce: UInt32
  /// Device clock, µs since its boot.
  public let clock: UInt64?
  /// When it came to the core.
  public let receivedAt: Timestamp?
  /// When the outage began in which presses may have been missed.
  public let missedSince: Timestamp?
  /// The latest time by the device clock, µs, at which the keychain said that it keeps nothing;
  /// nil: it has not.
  public let emptyAt: UInt64?

  /// - Parameters:
  ///   - clock: µs since the keychain's boot.
  ///   - emptyAt: µs since the keychain's boot.
  package init(
    device: UInt64, number: UInt64, bootNonce: UInt32, clock: UInt64? = nil,
    receivedAt: Timestamp? = nil, missedSince: Timestamp? = nil, emptyAt: UInt64? = nil
  ) {
    self.device = device
    self.number = number
    self.bootNonce = bootNonce
    self.clock = clock
    self.receivedAt = receivedAt
    self.missedSince = missedSince
    self.emptyAt = emptyAt
  }
}
