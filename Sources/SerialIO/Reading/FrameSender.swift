import FobBase
import Glibc

/// The writing half of a line: whole frames in order, or counted as dropped.
struct FrameSender: ~Copyable, Sendable {
  /// Nil once the line is closed.
  private var line: OwnedDescriptor?
  private let isSocket: Bool
  private var pending = PendingBytes(capacity: Limits.hostTransmitBuffer)
  private(set) var droppedFrames: UInt64 = 0

  init(_ line: consuming OwnedDescriptor) {
    isSocket = (try? line.status()).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false
    self.line = consume line
  }

  var hasPending: Bool { !pending.isEmpty }

  /// A frame is begun only if all of it goes out or fits in the buffer.
  mutating func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    guard line != nil else { return .closed }
    guard frame.count <= pending.room else { return drop() }
    // What waits goes first, or frames would change places.
    guard pending.isEmpty else {
      pending.append(frame)
      return .queued
    }
    guard let taken = write(frame) else { return drop() }
    if taken == frame.count { return .written }
    pending.append(UnsafeRawBufferPointer(rebasing: frame[taken...]))
    return .queued
  }

  mutating func flush() {
    guard !pending.isEmpty, let taken = write(pending.bytes) else { return }
    pending.removeFirst(taken)
  }

  mutating func close() { line = nil }

  /// Nil when the line is broken. The reader finds that out for itself, so it is not said twice.
  private borrowing func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    do {
      switch line {
      case .some(let line): return try (isSocket ? line.send(bytes) : line.write(bytes)) ?? 0
      case .none: return nil
      }
    } catch {
      return nil
    }
  }

  private mutating func drop() -> SendOutcome {
    droppedFrames += 1
    return .dropped
  }
}
