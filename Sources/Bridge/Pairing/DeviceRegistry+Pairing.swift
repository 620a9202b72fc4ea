import AlertCore
import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// Keys, as the lines of a core share them (PROTOCOL.md, 15).
extension DeviceRegistry {
  /// The lines of this process that name a keychain.
  enum Place {
    case none
    /// The line that has proved it; where none has, the only one that names it.
    case one(DeviceSession)
    /// Several name it, and none has proved it: any of them may be a stranger's.
    case several
  }

  /// Where a keychain is to be given a key, to be asked for one, or to forget it.
  func place(of device: DeviceID) -> Place {
    let named = all.filter { session in
      session.isOpen
        && session.state.withLock { $0.host.state == .linked && $0.host.device == device }
    }
    if let proved = named.first(where: { $0.state.withLock { $0.host.isProved } }) {
      return .one(proved)
    }
    return named.count > 1 ? .several : named.first.map { .one($0) } ?? .none
  }

  /// Whether a line is being asked to pair or un-pair this keychain.
  func isAsked(_ device: DeviceID) -> Bool {
    all.contains { $0.isAsked && $0.state.withLock { $0.host.device == device } }
  }

  /// Tells every session the keys as they are now.
  func renewKeys() {
    guard let table = keyring?.table else { return }
    for session in all { session.use(table) }
    outlet?.use(table)
  }

  /// A keychain has shown whether it has taken the key that it was offered in a pairing of which
  /// nobody knew the end. It writes a file.
  func settle(_ device: DeviceID, isTaken: Bool, _ core: any CoreEndpoint) {
    guard let keyring, keyring.table.offered[device] != nil, !isAsked(device) else { return }
    do {
      try keyring.settle(device, isTaken: isTaken)
    } catch {
      events.notice(
        .error, "the keys of \(device.text) are settled, and cannot be written: \(error)")
    }
    renewKeys()
    if isTaken { core.handle(.pairing(device, .byCable, by: "keychain")) }
    events.notice(
      .info,
      isTaken
        ? "the keychain \(device.text) has proved the key of a pairing whose answer was missed"
        : "the keychain \(device.text) has not taken the key of a pairing that failed")
  }
}
