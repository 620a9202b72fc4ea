import AlertCore
import FobBase
import Synchronization
import WireProtocol

/// Gathers the stamps of presses that are on their way; the oldest give way.
final class StageRecorder: Sendable {
  private struct Key: Hashable {
    let device: DeviceID
    let number: EventNumber
  }

  private struct State {
    var presses: [Key: PressStages] = [:]
    var order: [Key] = []
    /// The commit's thread may be here before the reader's. Acks of other events stand here too,
    /// and age out.
    var early: [(key: Key, at: Int64)] = []
  }

  private static let limit = 64
  private let state = Mutex(State())

  func decided(_ record: EventRecord, read: Int64, decided: Int64, fit: TimeSync.Fit?) {
    let identity = record.identity
    guard identity.kind == .pressed else { return }
    let key = Key(device: identity.deviceID, number: identity.number)
    var stages = PressStages(
      event: identity.number.text, device: identity.deviceID.text, read: read, decided: decided)
    if let fit, fit.bootNonce == identity.bootNonce {
      stages.edge = fit.hostInstant(identity.clock).microseconds
      stages.stored =
        fit.hostInstant(identity.clock &+ UInt64(record.commitDelta)).microseconds
      stages.uncertainty = fit.uncertainty
    }
    state.withLock { [stages] state in
      var stages = stages
      guard state.presses[key] == nil else { return }
      stages.durable = state.early.last { $0.key == key }?.at
      state.presses[key] = stages
      state.order.append(key)
      if state.order.count > Self.limit { state.presses[state.order.removeFirst()] = nil }
    }
  }

  func durable(_ device: DeviceID, _ number: EventNumber, at now: Int64) {
    let key = Key(device: device, number: number)
    state.withLock { state in
      guard state.presses[key] != nil else {
        if state.early.count >= Self.limit { state.early.removeFirst() }
        state.early.append((key, now))
        return
      }
      if state.presses[key]!.durable == nil { state.presses[key]!.durable = now }
    }
  }

  /// An entry of the device's trace.
  /// - Returns: the press whose stamps it completed: acked, or shown as accepted.
  func traced(_ entry: TraceEntry, of device: DeviceID, fit: TimeSync.Fit?) -> PressStages? {
    guard let fit else { return nil }
    let at = fit.hostInstant(entry.clock).microseconds
    return state.withLock { state in
      switch entry.code {
      case .eventWritten, .eventAcked:
        let key = Key(device: device, number: EventNumber(rawValue: entry.argument))
        guard let press = state.presses[key], press.acked == nil else { return nil }
        if entry.code == .eventWritten {
          state.presses[key]!.written = at
          return nil
        }
        state.presses[key]!.acked = at
        return state.presses[key]
      case .stateShown:
        guard UInt8(truncatingIfNeeded: entry.argument) == ShownState.accepted.rawValue,
          let key = state.order.last(where: { $0.device == device }),
          let press = state.presses[key], let acked = press.acked, acked <= at, press.lit == nil
        else { return nil }
        state.presses[key]!.lit = at
        return state.presses[key]
      default: return nil
      }
    }
  }
}
