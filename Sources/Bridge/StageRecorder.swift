import AlertCore
import FobBase
import Synchronization
import WireProtocol

/// Collects the stamps of recent presses, and drops the oldest.
final class StageRecorder: Sendable {
  private struct Key: Hashable {
    let device: DeviceID
    let number: EventNumber
  }

  /// A press with the device's own stamps. They are converted once the device's clock is fitted,
  /// which may be later than the press if it was sent right after plugging in.
  private struct Press {
    var stages: PressStages
    let record: EventRecord
    /// When the device took the ack, by its own clock of that boot.
    var ack: (clock: UInt64, bootNonce: UInt32)?

    mutating func carryOver(_ fit: TimeSync.Fit) {
      let identity = record.identity
      guard stages.edge == nil, fit.bootNonce == identity.bootNonce else { return }
      stages.edge = fit.hostInstant(identity.clock).microseconds
      stages.stored =
        fit.hostInstant(identity.clock &+ UInt64(record.commitDelta)).microseconds
      stages.uncertainty = fit.uncertainty
    }
  }

  private struct State {
    var presses: [Key: Press] = [:]
    var order: [Key] = []
    /// Acks that came from the commit thread before the reader thread recorded the press. Acks of
    /// other events are here, too, and age out.
    var early: [(key: Key, at: Int64)] = []
  }

  /// As many presses as are under way where thousands come in a second.
  private static let limit = 512
  private let state = Mutex(State())

  /// - Parameter decided: nil where the core is on another host.
  func heard(_ record: EventRecord, read: Int64, decided: Int64?) {
    let identity = record.identity
    guard identity.kind == .pressed else { return }
    let key = Key(device: identity.deviceID, number: identity.number)
    let new = Press(
      stages: PressStages(
        event: identity.number.text, device: identity.deviceID.text, read: read, decided: decided),
      record: record)
    state.withLock { state in
      guard state.presses[key] == nil else { return }
      var press = new
      press.stages.durable = state.early.last { $0.key == key }?.at
      state.presses[key] = press
      state.order.append(key)
      if state.order.count > Self.limit { state.presses[state.order.removeFirst()] = nil }
    }
  }

  func durable(_ device: DeviceID, _ number: EventNumber, at now: Int64) {
    let key = Key(device: device, number: number)
    state.withLock { state in
      guard let stages = state.presses[key]?.stages else {
        if state.early.count >= Self.limit { state.early.removeFirst() }
        state.early.append((key, now))
        return
      }
      if stages.durable == nil { state.presses[key]!.stages.durable = now }
    }
  }

  /// Records an entry of the device's trace.
  /// - Returns: the press if this entry completes a stage: acked, or shown as accepted.
  func traced(_ entry: TraceEntry, of device: DeviceID, fit: TimeSync.Fit) -> PressStages? {
    let at = fit.hostInstant(entry.clock).microseconds
    return state.withLock { state in
      switch entry.code {
      case .eventWritten, .eventAcked:
        let key = Key(device: device, number: EventNumber(rawValue: entry.argument))
        guard var press = state.presses[key], press.stages.acked == nil else { return nil }
        press.carryOver(fit)
        if entry.code == .eventWritten {
          press.stages.written = at
        } else {
          press.stages.acked = at
          press.ack = (entry.clock, fit.bootNonce)
        }
        state.presses[key] = press
        return entry.code == .eventAcked ? press.stages : nil
      case .stateShown:
        guard UInt8(truncatingIfNeeded: entry.argument) == ShownState.accepted.rawValue,
          let key = state.order.last(where: { $0.device == device }),
          let press = state.presses[key], press.stages.lit == nil,
          let acked = press.stages.acked, let ack = press.ack,
          ack.bootNonce == fit.bootNonce, ack.clock <= entry.clock
        else { return nil }
        // From the ack on by the device's own clock: the fit may be a better one by now, and would
        // set the light before the ack.
        state.presses[key]!.stages.lit = acked &+ Int64(clamping: entry.clock - ack.clock)
        return state.presses[key]!.stages
      default: return nil
      }
    }
  }
}
