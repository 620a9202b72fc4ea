package import FobBase
import Glibc
import Synchronization

/// The place where a host reaches a device of the same process without system calls, by a
/// ``MemoryLine``. One host at a time has it.
public final class MemoryEndpoint: Sendable {
  private struct State {
    var isOpen = false
    /// The host that has the line, or that waits for the device to look.
    var line: MemoryLine?
  }

  /// The NAME of `memory:NAME`, for messages alone: nothing is looked up by it.
  public let name: String
  private let poke: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter poke: makes the device's thread look at the endpoint; called from any thread.
  package init(name: String, poke: @escaping @Sendable () -> Void) {
    self.name = name
    self.poke = poke
  }

  /// A host's end, which the caller starts. Its handlers run on the device's thread and must not
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

  /// Whether hosts may come in.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets hosts in: the device is plugged in.
  package func setOpen() { state.withLock { $0.isOpen = true } }

  /// Lets no host in any more. The host that is in or waits gets `onGone`.
  package func close() {
    let line = state.withLock { state in
      defer { state = State() }
      return state.line
    }
    line?.hangUp()
  }

  /// The host that has the line now; nil if there is none or it has left.
  package var host: MemoryLine? {
    state.withLock { state in
      if let line = state.line, line.isClosed { state.line = nil }
      return state.line
    }
  }
}

/// A line with both ends in one process, without system calls: for thousands of keychains, whose
/// time would else go into the kernel.
///
/// Towards the host there is no queue: the keychain's thread calls the host's handlers with its
/// bytes as it writes them, and asks them for their deadlines. So neither end needs a thread of its
/// own. Towards the device one bounded queue holds the bytes that it has not read. To test the
/// reader that real lines have, use ``MemoryListener``, over a socket pair.
public final class MemoryLine: Sendable {
  /// The most bytes that a host may send before the device reads: four frames of the longest kind.
  public static let capacity = 4 * Limits.maxWireFrameSize

  private struct State: ~Copyable {
    var pending = PendingBytes(capacity: MemoryLine.capacity)
    var droppedFrames: UInt64 = 0
    var isClosed = false
  }

  private let handlers: ReaderHandlers
  private let state = Mutex(State())
  private let isWanted = Atomic(false)
  /// Makes the device's thread look at the line.
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

  /// Enters the device's endpoint.
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

  /// Makes the device's thread call `onWake` soon; from any thread.
  public func wake() {
    isWanted.store(true, ordering: .releasing)
    poke()
  }

  /// Ends the line from the host's side. No handler is called for it; a call that is under way
  /// comes to its end.
  /// - Returns: true always.
  @discardableResult
  public func stop() -> Bool {
    state.withLock { $0.isClosed = true }
    poke()
    return true
  }

  /// Frames that `send` has dropped because the queue was full.
  public var droppedFrames: UInt64 { state.withLock { $0.droppedFrames } }

  // MARK: The device's end, on its thread alone

  /// Whether either end has left.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Moves bytes of the host into the buffer, as many as fit, and returns their count.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      let count = min(buffer.count, state.pending.bytes.count)
      guard count > 0 else { return 0 }
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: state.pending.bytes[..<count]))
      state.pending.removeFirst(count)
      return count
    }
  }

  /// Hands bytes of the device to the host's `onBytes`, stamped with the time of this call.
  package func deliver(_ bytes: UnsafeRawBufferPointer) {
    handlers.onBytes(bytes, BootClock.nanoseconds())
  }

  /// The host's deadline; nil: none.
  package var nextWake: Instant? { handlers.nextWake() }

  /// Calls the host's `onWake` if its deadline has come or it asked for it by `wake()`.
  package func serve(at now: Instant) {
    let isWanted = isWanted.exchange(false, ordering: .acquiring)
    if isWanted || handlers.nextWake().map({ $0 <= now }) == true { handlers.onWake(now) }
  }

  /// Ends the line from the device's side: the host gets `onGone(.hungUp)` unless it has left.
  package func hangUp() {
    let wasOpen = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    if wasOpen { handlers.onGone(.hungUp) }
  }
}
