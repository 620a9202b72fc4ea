import Synchronization

/// An answer of many lines, from any thread. It ends with `end()` or when it is let go.
public final class ControlStream: Sendable {
  private let outbox: WriteBuffer
  private let hasEnded = Atomic(false)

  init(_ outbox: WriteBuffer) { self.outbox = outbox }

  deinit { end() }

  /// Never waits. A client that reads too slowly loses lines, `ControlLimits.queuedLines` behind,
  /// and is told `{"lost":n}` where they are missing.
  /// - Returns: false if this line was lost, the client has left or the stream has ended.
  @discardableResult
  public func send(_ value: some Encodable) -> Bool {
    guard !hasEnded.load(ordering: .acquiring), let line = try? JSONLine.encode(value) else {
      return false
    }
    return outbox.add(line)
  }

  public var clientHasLeft: Bool { outbox.isGone }

  public func end() {
    if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { outbox.endRequest() }
  }
}
