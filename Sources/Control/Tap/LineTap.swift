public import FobBase
public import SerialIO
import Synchronization

/// Copies of what goes over a line, for those who ask at a control socket: `{"do":"tap"}`.
///
/// While nobody asks, `isTapped` is all that a line pays: one relaxed load. Else the bytes are
/// copied into a bounded queue and written out on a thread of the tap's own, so that the line's
/// thread never waits for a client. What does not fit is counted and told: `{"lost":n}`.
public final class LineTap: Sendable {
  public enum Direction: String, Encodable, Sendable { case host, device }

  /// Chunks that may wait for the thread, each at most a read or a frame.
  public static let queuedChunks = 1_024

  /// Hears bytes, valid during the call, and when they went over the line.
  package typealias Hear = @Sendable (Direction, UnsafeRawBufferPointer, Instant) -> Void

  private let state: TapState
  private let handler = Mutex<Handler?>(nil)

  /// A closure that stood in the mutex by itself would be wrapped once more at each look at it.
  private struct Handler { let hear: Hear }

  public init() throws(IOFailure) { state = try TapState() }

  /// Ends the thread and the streams.
  deinit { state.close() }

  /// Whether anybody listens. Asked first, so that nothing is made for nobody.
  public var isTapped: Bool { state.isTapped.load(ordering: .relaxed) }

  /// Hands a copy on; never waits. Bytes passed after `isTapped` has become false are dropped.
  /// - Parameters:
  ///   - device: what the line is called, its spec or the device's id.
  ///   - to: whom the bytes go to.
  ///   - at: when, on CLOCK_BOOTTIME.
  public func pass(
    _ bytes: UnsafeRawBufferPointer, device: String, to: Direction, at: Instant
  ) {
    guard !bytes.isEmpty else { return }
    if let handler = handler.withLock({ $0 }) { return handler.hear(to, bytes, at) }
    state.put(TapChunk(at: at.microseconds, device: device, to: to, bytes: Array(bytes)))
  }

  /// From now on `handler` is called for each chunk, on the line's thread, and nobody else hears of
  /// any: for whoever measures the line, or what a slower one would do.
  package func listen(_ handler: @escaping Hear) {
    self.handler.withLock { $0 = Handler(hear: handler) }
    state.isTapped.store(true, ordering: .relaxed)
  }

  /// From now on `follower` is called for each chunk, in order, on the tap's own thread, beside the
  /// clients of the control socket; it may take its time, for which the lines do not wait.
  package func follow(_ follower: @escaping TapFollower) throws(IOFailure) {
    try state.start()
    state.add(follower)
  }

  /// Answers a request with `{"ok":true}` and from then on a line for each chunk:
  /// `{"at":µs,"bytes":"hex","device":"…","to":"host"}`, with `at` on CLOCK_BOOTTIME.
  /// - Parameter device: hears of this one alone; nil hears of all.
  public func answer(_ reply: ControlReply, only device: String? = nil) {
    do throws(IOFailure) {
      try state.start()
    } catch {
      reply.fail("the tap cannot be started: \(error)")
      return
    }
    // Weak: the stream stands in the tap, and holds what it calls.
    let stream = reply.stream { [weak state] in state?.removeLeft() }
    state.add(stream, only: device)
  }
}
