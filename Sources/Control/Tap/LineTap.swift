public import FobBase
public import SerialIO
import Synchronization

/// Copies the bytes of a line for clients of a control socket: `{"do":"tap"}`.
///
/// While nobody listens, a line pays one relaxed load for `isTapped`. Otherwise the bytes are
/// copied into a bounded queue and written by the tap's own thread, so that the line's thread never
/// waits for a client. That thread takes out the keys of PAIR (`KeyMask`), and shows bytes when
/// their frame has ended. Chunks that do not fit are counted: `{"lost":n}`.
public final class LineTap: Sendable {
  /// The end that the bytes go to.
  public enum Direction: String, Encodable, Sendable { case host, device }

  /// Chunks that may wait for the thread; each is at most one read or one frame.
  public static let queuedChunks = 1_024

  /// Hears bytes, which are valid during the call, and when they went over the line.
  package typealias Hear = @Sendable (Direction, UnsafeRawBufferPointer, Instant) -> Void

  private let state: TapState
  private let handler = Mutex<Handler?>(nil)

  /// Wraps the closure: alone in the mutex, it would be allocated anew at each look.
  private struct Handler { let hear: Hear }

  /// Starts no thread yet; throws if the process has no descriptor left.
  public init() throws(IOFailure) { state = try TapState() }

  /// Ends the thread and the streams.
  deinit { state.close() }

  /// Somebody listens. Ask this first, so that no copy is made in vain.
  public var isTapped: Bool { state.isTapped.load(ordering: .relaxed) }

  /// Passes a copy on, and never waits. Bytes that come after `isTapped` has become false are
  /// dropped.
  /// - Parameters:
  ///   - bytes: one chunk, copied at once; nothing is passed on where there is none.
  ///   - device: the line's name: its spec or the device's id.
  ///   - to: the end that the bytes go to.
  ///   - at: the time on CLOCK_BOOTTIME.
  public func pass(
    _ bytes: UnsafeRawBufferPointer, device: String, to: Direction, at: Instant
  ) {
    guard !bytes.isEmpty else { return }
    if let handler = handler.withLock({ $0 }) { return handler.hear(to, bytes, at) }
    state.put(TapChunk(at: at.microseconds, device: device, to: to, bytes: Array(bytes)))
  }

  /// Calls `handler` for each chunk from now on, as it is, on the line's thread, and nobody else:
  /// for measurements of the line, which a slower path would distort.
  package func listen(_ handler: @escaping Hear) {
    self.handler.withLock { $0 = Handler(hear: handler) }
    state.isTapped.store(true, ordering: .relaxed)
  }

  /// Calls `follower` for each chunk from now on, in order, on the tap's own thread, beside the
  /// clients of the control socket. It may be slow: the lines do not wait for it.
  package func follow(_ follower: @escaping TapFollower) throws(IOFailure) {
    try state.start()
    state.add(follower)
  }

  /// Answers a request with `{"ok":true}`, and then with a line for each chunk:
  /// `{"at":µs,"bytes":"hex","device":"…","to":"host"}`, with `at` on CLOCK_BOOTTIME. Only the
  /// chunks of `device` are passed on; nil: of all.
  public func answer(_ reply: ControlReply, only device: String? = nil) {
    do throws(IOFailure) {
      try state.start()
    } catch {
      reply.fail("the tap cannot be started: \(error)")
      return
    }
    // Weak: the tap holds the stream, which holds this closure.
    let stream = reply.stream { [weak state] in state?.removeLeft() }
    state.add(stream, only: device)
  }
}
