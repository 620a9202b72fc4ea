import SerialIO
import Synchronization
import USB

/// The place of one keychain on a server's bus. The server hands over the connection of the host
/// that imports the keychain, one host at a time.
final class USBSocket: Sendable {
  private struct State: ~Copyable {
    /// Whether the keychain is plugged in.
    var isInUse = false
    /// Whether a host has imported it, or is about to.
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

  /// For the server: reserves the keychain. False if a host has it already, or it is unplugged.
  func claim() -> Bool {
    state.withLock { state in
      guard state.isInUse, !state.isTaken else { return false }
      state.isTaken = true
      return true
    }
  }

  /// For the server: hands over the connection of the host that it was claimed for.
  func hand(_ connection: consuming OwnedDescriptor) {
    var connection: OwnedDescriptor? = consume connection
    state.withLock { state in
      guard state.isTaken else { return }
      state.connection = connection.take()
    }
    signal.signal()
  }

  /// For the keychain: takes the connection that waits.
  func takeConnection() -> OwnedDescriptor? {
    signal.clear()
    return state.withLock { $0.connection.take() }
  }

  /// For the keychain: it is plugged in or pulled out. A connection that waits is closed.
  func use(_ isInUse: Bool) {
    release()
    state.withLock { $0.isInUse = isInUse }
  }

  /// Ends the host's claim, so that another may come.
  func release() {
    state.withLock { state in
      state.isTaken = false
      state.connection = nil
    }
  }
}
