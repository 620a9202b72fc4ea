import Bench
import FobBase
import Glibc
import SerialIO
import Synchronization
import WireProtocol

/// Hears the bytes of an emulated keychain as its faulty line lets them out, and decodes them as a
/// host does.
final class WireReceiver: Sendable {
  private struct State {
    var decoder = FrameDecoder()
    var meter: ResyncMeter?
  }

  private let state = Mutex(State())
  private let signal: EventSignal

  init() throws(IOFailure) { signal = try EventSignal() }

  /// From now on one byte's trouble is measured.
  func begin(_ meter: ResyncMeter) { state.withLock { $0.meter = meter } }

  /// The line was opened anew.
  func reset() { state.withLock { $0 = State() } }

  func hear(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    let isDone = state.withLock { state in
      var chunk = bytes
      state.meter?.arrived(bytes.count, at: now.microseconds)
      while let outcome = state.decoder.next(&chunk) {
        state.meter?.ended(isGood: outcome == .frame, before: chunk.count)
      }
      return state.meter?.resync != nil
    }
    if isDone { signal.signal() }
  }

  /// Nil if it is not in step by the deadline.
  func resync(by deadline: Instant) throws -> ResyncMeter.Resync? {
    while true {
      if let resync = state.withLock({ $0.meter?.resync }) { return resync }
      guard try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline) != 0 else {
        return nil
      }
      signal.clear()
    }
  }
}
