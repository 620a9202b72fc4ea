import SerialIO
import Synchronization
import USB

/// Where one keychain is plugged into the bus that a server shows: the server hands it the
/// connection of the host that imports it. One host at a time.
final class USBSocket: Sendable {
  private struct State: ~Copyable {
    /// Something is plugged in.
    var isInUse = false
    /// A host has imported it, or is about to.
    var isTaken = false
    var connection: OwnedDescriptor?
  }

  let record: USBIPDeviceRecord
  /// Readable when a connection waits.
  let signal: EventSignal
  private let state = Mutex(State())

  init(_ record: USBIPDeviceRecord) throws(IOFailure) {
    self.record = record
    signal = try EventSignal()
  }

  var isTaken: Bool { state.withLock { $0.isTaken } }

  /// For the server: false where a host has it already, or nothing is there any more.
  func claim() -> Bool {
    state.withLock { state in
      guard state.isInUse, !state.isTaken else { return false }
      state.isTaken = true
      return true
    }
  }

  /// For the server: the connection of the host for which it was claimed.
  func hand(_ connection: consuming OwnedDescriptor) {
    var connection: OwnedDescriptor? = consume connection
    state.withLock { state in
      guard state.isTaken else { return }
      state.connection = connection.take()
    }
    signal.signal()
  }

  /// For the keychain: the connection that waits.
  func takeConnection() -> OwnedDescriptor? {
    signal.clear()
    return state.withLock { $0.connection.take() }
  }

  /// For the keychain: it is plugged in or pulled out. A connection that waits is closed.
  func use(_ isInUse: Bool) {
    release()
    state.withLock { $0.isInUse = isInUse }
  }

  /// The host has gone, or was sent away: another may come.
  func release() {
    state.withLock { state in
      state.isTaken = false
      state.connection = nil
    }
  }
}
