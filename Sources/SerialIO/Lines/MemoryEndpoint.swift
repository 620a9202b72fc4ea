package import FobBase
import Glibc
import Synchronization

/// Where a host of this process comes to a device that takes a ``MemoryLine``, one at a time.
public final class MemoryEndpoint: Sendable {
  private struct State {
    var isOpen = false
    /// The host that has the line, or waits until the device looks.
    var line: MemoryLine?
  }

  public let name: String
  private let poke: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter poke: has the device's thread look at the listener.
  package init(name: String, poke: @escaping @Sendable () -> Void) {
    self.name = name
    self.poke = poke
  }

  /// The host's end, to be started. Its handlers are called on the device's thread: they must not
  /// wait.
  public func line(_ handlers: ReaderHandlers) -> MemoryLine {
    MemoryLine(handlers, poke: poke) { [weak self, name] (line) throws(IOFailure) in
      guard let self else {
        throw IOFailure("open", errno: ENOENT, path: "memory:\(name)", reason: "it has gone")
      }
      try letIn(line)
    }
  }

  private func letIn(_ line: MemoryLine) throws(IOFailure) {
    let path = "memory:\(name)"
    try state.withLock { (state) throws(IOFailure) in
      guard state.isOpen else {
        throw IOFailure("open", errno: ENOENT, path: path, reason: "it is unplugged")
      }
      guard state.line?.isClosed ?? true else {
        throw IOFailure("open", errno: EBUSY, path: path, reason: "another host has it")
      }
      state.line = line
    }
    poke()
  }

  // MARK: The device's end, on its thread alone

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  package func setOpen() { state.withLock { $0.isOpen = true } }

  /// Lets nobody in any more; whoever was in or waited is told.
  package func close() {
    let line = state.withLock { state in
      defer { state = State() }
      return state.line
    }
    line?.hangUp()
  }

  /// The host that has the line now; nil if it has left or there is none.
  package var host: MemoryLine? {
    state.withLock { state in
      if let line = state.line, line.isClosed { state.line = nil }
      return state.line
    }
  }
}

/// A line whose two ends are in one process and which no system call carries: for thousands of
/// keychains, whose time would else go into the kernel.
///
/// Towards the host there is no queue: the keychain's thread hands its bytes to the host's handlers
/// as it writes them, and asks them for their deadlines, so that neither end needs a thread of its
/// own. Towards the device one bounded ring holds what it has not read. A test of the reader that
/// real lines have goes by ``MemoryListener``, over a socket pair.
public final class MemoryLine: Sendable {
  /// What a host may send before the device has looked: four frames of the longest kind.
  public static let capacity = 4 * Limits.maxWireFrameSize

  private struct State: ~Copyable {
    var pending = PendingBytes(capacity: MemoryLine.capacity)
    var droppedFrames: UInt64 = 0
    var isClosed = false
  }

  private let handlers: ReaderHandlers
  private let state = Mutex(State())
  private let isWanted = Atomic(false)
  /// Has the device's thread look at the line.
  private let poke: @Sendable () -> Void
  private let enter: @Sendable (MemoryLine) throws(IOFailure) -> Void

  init(
    _ handlers: ReaderHandlers, poke: @escaping @Sendable () -> Void,
    enter: @escaping @Sendable (MemoryLine) throws(IOFailure) -> Void
  ) {
    self.handlers = handlers
    self.poke = poke
    self.enter = enter
  }

  // MARK: The host's end, from any thread

  /// Goes in by the device's endpoint.
  /// - Throws: `IOFailure` with ENOENT if the device is unplugged, EBUSY if another host has it.
  public func start() throws(IOFailure) { try enter(self) }

  /// Sends one frame, whole or not at all; never waits.
  @discardableResult
  public func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    let outcome: SendOutcome = state.withLock { state in
      guard !state.isClosed else { return .closed }
      guard frame.count <= state.pending.room else {
        state.droppedFrames += 1
        return .dropped
      }
      state.pending.append(frame)
      return .written
    }
    if outcome == .written { poke() }
    return outcome
  }

  /// Has `onWake` called soon, on the device's thread.
  public func wake() {
    isWanted.store(true, ordering: .releasing)
    poke()
  }

  /// The host leaves; no handler is called for it. One that is being called comes to its end.
  /// - Returns: true.
  @discardableResult
  public func stop() -> Bool {
    state.withLock { $0.isClosed = true }
    poke()
    return true
  }

  public var droppedFrames: UInt64 { state.withLock { $0.droppedFrames } }

  // MARK: The device's end, on its thread alone

  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Bytes that the host has sent, at most as many as fit; their count.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      let count = min(buffer.count, state.pending.bytes.count)
      guard count > 0 else { return 0 }
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: state.pending.bytes[..<count]))
      state.pending.removeFirst(count)
      return count
    }
  }

  package func deliver(_ bytes: UnsafeRawBufferPointer) {
    handlers.onBytes(bytes, BootClock.nanoseconds())
  }

  package var nextWake: Instant? { handlers.nextWake() }

  /// Calls the host if its deadline has come or it asked for it.
  package func serve(at now: Instant) {
    let isWanted = isWanted.exchange(false, ordering: .acquiring)
    if isWanted || handlers.nextWake().map({ $0 <= now }) == true { handlers.onWake(now) }
  }

  /// The device has gone.
  package func hangUp() {
    let wasOpen = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    if wasOpen { handlers.onGone(.hungUp) }
  }
}
