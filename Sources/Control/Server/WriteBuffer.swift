import SerialIO
import Synchronization

/// Output that waits for one client. Any thread adds lines; the server's thread takes them.
final class WriteBuffer: Sendable {
  private struct State {
    var lines: [[UInt8]] = []
    /// Lines that the server's thread has and has not yet written: they count against the limit.
    var inFlight = 0
    var lost = 0
    var isBusy = false
    var isGone = false
    var onLeave: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let wakeServer: @Sendable () -> Void

  init(wakeServer: @escaping @Sendable () -> Void) { self.wakeServer = wakeServer }

  /// A request is being answered or a stream is open; the client's next request waits.
  var isBusy: Bool { state.withLock { $0.isBusy } }
  var isGone: Bool { state.withLock { $0.isGone } }
  var isEmpty: Bool { state.withLock { $0.lines.isEmpty && $0.inFlight == 0 } }

  func beginRequest() { state.withLock { $0.isBusy = true } }

  /// Adds a line without its newline. False if it was lost because the queue is full or the client
  /// has left.
  @discardableResult
  func add(_ line: [UInt8]) -> Bool {
    let isAdded = state.withLock { state in
      guard !state.isGone else { return false }
      guard state.lost == 0, state.lines.count + state.inFlight < ControlLimits.queuedLines
      else {
        state.lost += 1
        return false
      }
      state.lines.append(line)
      return true
    }
    if isAdded { wakeServer() }
    return isAdded
  }

  func endRequest() {
    // Released outside the lock: the closure may hold the stream, whose end calls this.
    let onLeave = state.withLock { state in
      let onLeave = state.onLeave
      state.isBusy = false
      state.onLeave = nil
      return onLeave
    }
    _ = consume onLeave
    wakeServer()
  }

  /// Calls `onLeave` once when the client has left; at once if it has.
  func whenGone(_ onLeave: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.onLeave = onLeave }
      return state.isGone
    }
    if isGone { onLeave() }
  }

  /// Everything that waits, newlines included. Call it once the earlier bytes are written. A loss
  /// is told after the last line before it. Empty if nothing waits.
  func take() -> [UInt8] {
    state.withLock { state in
      if state.lost > 0 { state.lines.append(JSONLine.lost(state.lost)) }
      state.lost = 0
      var bytes: [UInt8] = []
      bytes.reserveCapacity(state.lines.reduce(0) { $0 + $1.count + 1 })
      for line in state.lines {
        bytes.append(contentsOf: line)
        bytes.append(0x0A)
      }
      state.inFlight = state.lines.count
      state.lines.removeAll(keepingCapacity: true)
      return bytes
    }
  }

  func clientLeft() {
    let onLeave = state.withLock { state in
      state.isGone = true
      state.lines.removeAll()
      let onLeave = state.onLeave
      state.onLeave = nil
      return onLeave
    }
    onLeave?()
  }
}
