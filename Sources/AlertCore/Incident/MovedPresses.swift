import FobBase
import WireProtocol

/// One move of open presses between two accounts. A process counts them.
public struct MoveID: Hashable, Sendable {
  /// No two moves of a run have the same.
  public let rawValue: UInt64
  /// The process picks the number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// One account's side of a move.
public struct Move: Equatable, Sendable {
  /// Both sides have it, and are durable together or not at all; nil: this account has both.
  public let id: MoveID?
  /// The incident that has got the presses, or has lost them: its entries are written anew.
  public let incident: IncidentID
  /// Events that the account answers for from now on and that are not durable yet.
  let pending: [EventIdentity]
}

/// The presses of one keychain in the open incident of an account that it is not of, as the account
/// gets them that has claimed the keychain.
public struct MovedPresses: Equatable, Sendable {
  /// Nil: the account has heard them itself, before it claimed the keychain.
  let move: MoveID?
  let device: DeviceID
  /// The incident that they open where none is open. It is not the one that they leave: messages of
  /// both may go to the same channel, which keeps no two of one key.
  let incident: IncidentID
  let openedAt: Timestamp
  /// The countdown that has begun goes on; nil: people are told at once.
  let countdownEnds: Timestamp?
  /// At least one.
  let entries: [PressEntry]
  let furtherPresses: Int
  let outOfReach: Int?
  let position: Position?
  /// Events of the keychain that are durable.
  let committed: [EventIdentity]
  /// Those that are not yet, each with the line that it came by.
  let pending: [EventIdentity: LinkID]
}

/// An unclaimed incident that has given way, and its presses that have not moved.
package struct GivenWay: Equatable, Codable, Sendable {
  package let id: IncidentID
  package internal(set) var presses: [PressEntry]

  /// - Returns: the first of those that were there; nil: none was.
  mutating func take(pressesOf device: DeviceID) -> PressEntry? {
    defer { presses.removeAll { $0.deviceID == device } }
    return presses.first { $0.deviceID == device }
  }
}

extension IncidentID {
  /// The id of the incident that moved presses open: the same whenever the move is made anew.
  init(of press: PressEntry, movedFrom incident: IncidentID) {
    self.init(moved: "\(incident) \(press.event)", boot: press.number.boot, press.deviceID)
  }
}

extension Incident {
  /// Nothing but this keychain's presses is in it.
  func isOnly(of device: DeviceID) -> Bool {
    trigger == nil && !isOfSeveralKeychains && presses.allSatisfy { $0.deviceID == device }
  }

  /// Takes a keychain's presses out of an incident that goes on without them.
  /// - Parameter areAlarms: false for a stranger's in an owner's alarm, which are listed alone.
  mutating func remove(pressesOf device: DeviceID, areAlarms: Bool) {
    let removed = presses.filter { $0.deviceID == device }
    presses.removeAll { $0.deviceID == device }
    guard areAlarms else { return }
    // Of nobody's alarm nobody was told.
    if !isUnclaimed { handovers = (handovers ?? 0) + 1 }
    oweNothing(of: device)
    furtherAlarms = max(0, furtherAlarms - removed.reduce(0) { $0 &+ $1.covers })
    unprovedAlarms = max(0, unprovedAlarms - removed.count { $0.isProved == false })
    // Of presses that are only counted nobody knows the keychain, nor when they came.
    if furtherPresses == 0 {
      isOfSeveralKeychains = Set(presses.map(\.deviceID)).count > 1
      lastPressAt = presses.last?.receivedAt
    }
    // What is left of an alarm that a trigger has raised may be of that keychain alone.
    self.device = presses.last?.deviceID.rawValue ?? id.device
  }

  /// Adds moved presses, each of which counts as an alarm; one that the keychain has said here as
  /// well is the same.
  mutating func add(_ moved: MovedPresses) {
    let entries = moved.entries.filter { entry in
      !presses.contains {
        $0.deviceID == entry.deviceID && $0.number == entry.number && $0.crc == entry.crc
      }
    }
    furtherPresses += moved.furtherPresses
    for entry in entries where !list(entry) { furtherPresses += entry.covers }
    furtherAlarms = furtherAlarms &+ entries.reduce(0) { $0 &+ $1.covers }
    unprovedAlarms = unprovedAlarms &+ entries.count { $0.isProved == false }
    if let outOfReach = moved.outOfReach { self.outOfReach = (self.outOfReach ?? 0) &+ outOfReach }
  }
}
