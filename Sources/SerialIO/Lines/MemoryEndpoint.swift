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
