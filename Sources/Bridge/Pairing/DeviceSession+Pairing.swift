import AlertCore
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// Keys, as one device's session has them.
extension DeviceSession {
  /// Takes the keys as they are now; a device that has answered is asked for its proof anew.
  func use(_ table: KeyTable) {
    let now = BootClock.now()
    turn(at: now) { host in
      host.use(table.keys, offered: table.offered, at: now)
      return host.wake(at: now)
    }
    state.withLock { $0.line }?.wake()
  }

  /// Asks the device to take a key, or to forget it.
  /// - Parameter answer: called once, when it has answered or ten seconds are over, on a thread
  ///   that may wait: not the reader's, which a press would wait for.
  /// - Returns: false where it cannot be asked now; nothing is called then.
  func ask(
    _ request: PairingTalk.Request, answer: @escaping @Sendable (PairingTalk.End) -> Void
  ) -> Bool {
    let now = BootClock.now()
    let isAsked = state.withLock { state in
      guard state.host.ask(request, at: now) else { return false }
      state.pairing = answer
      return true
    }
    guard isAsked else { return false }
    turn(at: now) { $0.wake(at: now) }
    state.withLock { $0.line }?.wake()
    return true
  }

  /// Whether the device is being paired or un-paired.
  var isAsked: Bool { state.withLock { $0.pairing != nil } }

  /// What is to be called because a pairing has ended, outside of the lock.
  func pairingEnd(_ events: [LinkEvent], _ state: inout State) -> (@Sendable () -> Void)? {
    for event in events {
      switch event {
      case .pairing(let end):
        guard let answer = state.pairing.take() else { continue }
        return { answer(end) }
      case .offer(let device, let isTaken):
        return { [devices, owner] in devices.settle(device, isTaken: isTaken, owner.core) }
      default: continue
      }
    }
    return nil
  }
}
