import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Rules that believe one word of a keychain: a press is older than the last disarm by its number
/// alone, or by its clock alone. It becomes an entry of what is over, and nobody is told.
///
/// To the core such a press is shown as a fact that means nothing; when it leaves it is itself
/// again, in that incident.
struct AgeMistakes {
  private let mistake: PlantedMistake
  /// Of each host and keychain, the highest number of its boot, now and at the last disarm.
  private var seen: [Int: [DeviceID: EventIdentity]] = [:]
  private var seenAtDisarm: [Int: [DeviceID: EventIdentity]] = [:]
  /// By the identity that the core has been shown.
  private var setAside: [EventIdentity: (press: EventRecord, incident: IncidentID)] = [:]

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  mutating func hears(_ input: inout CoreInput, _ host: SimulatedHost) {
    guard case .event(let link, let record, let happenedAt) = input, let core = host.run?.core
    else { return }
    defer { note(record.identity, host) }
    guard record.identity.kind == .pressed,
      core.commitQueue.known.look(at: record.identity).state == .new
    else { return }
    var shown = record
    shown.identity.rawKind = EventKind.fault.rawValue
    if setAside[shown.identity] == nil {
      guard core.engine.open == nil, let disarmed = core.engine.history.disarmed,
        let endedAt = core.engine.history[disarmed]?.endedAt,
        isOlder(record.identity, happenedAt, than: endedAt, host)
      else { return }
      setAside[shown.identity] = (record, disarmed)
    }
    input = .event(link, shown, happenedAt: happenedAt)
  }

  private mutating func note(_ identity: EventIdentity, _ host: SimulatedHost) {
    if let last = seen[host.index]?[identity.deviceID], last.bootNonce == identity.bootNonce,
      last.number >= identity.number
    {
      return
    }
    seen[host.index, default: [:]][identity.deviceID] = identity
  }

  private func isOlder(
    _ identity: EventIdentity, _ happenedAt: ClosedRange<Int64>?, than endedAt: Timestamp,
    _ host: SimulatedHost
  ) -> Bool {
    if mistake == .olderByNumberAlone {
      guard let last = seenAtDisarm[host.index]?[identity.deviceID] else { return false }
      return last.bootNonce == identity.bootNonce && identity.number < last.number
    }
    let boot = host.timestamp(at: Instant(microseconds: 0)).boot
    guard let happenedAt, endedAt.boot == boot else { return false }
    return happenedAt.upperBound < endedAt.instant - 1_000_000
  }

  mutating func decided(
    _ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost
  ) {
    if case .userCommand(_, .disarm, _) = input { seenAtDisarm[host.index] = seen[host.index] }
    guard !setAside.isEmpty else { return }
    output.acks = output.acks.map { link, ack in
      let press = setAside.first { EventAck($0.key) == ack }?.value.press
      return (link, press.map { EventAck($0.identity) } ?? ack)
    }
    output.commit = output.commit.map {
      CommitBatch(number: $0.number, parts: $0.parts.map(uncovered))
    }
  }

  private func uncovered(_ changes: Changes) -> Changes {
    var changes = changes
    changes.events = changes.events.map { event in
      guard let (press, incident) = setAside[event.record.identity] else { return event }
      return HeardEvent(
        press, at: event.receivedAt, happenedAt: event.happenedAt, meaning: .alarm, of: incident)
    }
    return changes
  }
}
