import Firmware

/// What its thread asks of a firmware after each poll.
///
/// Taken at once and by reference: to ask a large structure in an optional for one of its
/// properties copies it.
struct FirmwareChanges {
  /// The session of the host's HELLO answered last, 0 when there was none.
  private(set) var session: UInt32 = 0
  /// The index that the trace's next entry will have.
  private(set) var nextTrace: UInt32 = 0
  /// Bytes wait for the link.
  private(set) var wantsToTransmit = false

  init() {}

  init(of keychain: inout Keychain) {
    session = keychain.hostSession
    nextTrace = keychain.trace.next
    wantsToTransmit = keychain.wantsToTransmit
  }
}
