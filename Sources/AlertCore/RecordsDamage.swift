import FobBase
import WireProtocol

/// What a start found damaged in its records, until somebody has seen to it.
public struct RecordsDamage: Equatable, Sendable {
  /// What was found and what is left: a clause.
  public let words: String
  /// What a person can do.
  public let advice: String
  /// An alarm may have been open that cannot be read, and nothing goes on with it: a keychain that
  /// has no other news shows that it is not being helped.
  public var isAlarmInDoubt: Bool
  /// Incidents that are open by what is left of them: who was told of them, and whether of their
  /// end, is not known, so everyone is told once more.
  public let raisedAgain: [IncidentID]

  public init(
    words: String, advice: String, isAlarmInDoubt: Bool = false, raisedAgain: [IncidentID] = []
  ) {
    self.words = words
    self.advice = advice
    self.isAlarmInDoubt = isAlarmInDoubt
    self.raisedAgain = raisedAgain
  }
}

extension Incident {
  /// One whose row was lost, by what else names it. One that may be open is taken to be sending:
  /// who was told is not known.
  package init(salvaged id: IncidentID, isOpen: Bool, openedWall: Int64, messages: Int) {
    let opened = Timestamp(boot: 0, instant: Instant(microseconds: 0), wall: openedWall)
    self.init(
      id, of: DeviceID(rawValue: id.device),
      isOpen ? .open(.sending(Stage.Sending(since: opened))) : .ended(End(isLeft: true)),
      at: opened)
    sounder = isOpen
    self.messages = messages
  }
}
