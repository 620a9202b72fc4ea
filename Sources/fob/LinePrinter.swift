import FobBase
import Glibc
import SerialIO
import Synchronization

/// Writes to standard output and error on a thread of its own, in the order in which it was asked:
/// nobody who prints waits for a reader, be it a terminal stopped by Ctrl-S or a full pipe. Behind
/// a reader who does not read, so much is kept; what comes then is counted, and lost.
final class LinePrinter: Sendable {
  private struct State {
    var texts: [(text: String, descriptor: Int32)] = []
    var bytes = 0
    var lost = 0
    var isWriting = false
  }

  /// Bytes that are kept.
  private static let most = 1 << 20

  private let state = Mutex(State())
  private let news: EventSignal
  /// Signalled when all is written.
  private let idle: EventSignal
  private let failed: @Sendable (IOFailure) -> Void

  /// - Parameter failed: told, on the thread, that standard output takes something not.
  init(failed: @escaping @Sendable (IOFailure) -> Void) throws(IOFailure) {
    self.failed = failed
    news = try EventSignal()
    idle = try EventSignal()
    _ = try BlockingThread(name: "print") { [self] in run() }
  }

  func add(_ text: String, _ descriptor: Int32) {
    state.withLock { state in
      let bytes = text.utf8.count
      guard state.bytes + bytes <= Self.most else {
        state.lost += 1
        return
      }
      state.texts.append((text, descriptor))
      state.bytes += bytes
    }
    news.signal()
  }

  /// Waits until all is written, so long at most.
  func flush(within patience: Interval) {
    let deadline = BootClock.now() + patience
    while BootClock.now() < deadline, !isIdle {
      _ = try? Syscall.poll(idle.descriptor, for: POLLIN, until: deadline)
      idle.clear()
    }
  }

  private var isIdle: Bool { state.withLock { $0.texts.isEmpty && !$0.isWriting } }

  private func run() {
    while true {
      _ = try? Syscall.poll(news.descriptor, for: POLLIN)
      news.clear()
      while let texts = take() {
        for (text, descriptor) in texts {
          if let failure = Self.write(text, to: descriptor) { failed(failure) }
        }
      }
      idle.signal()
    }
  }

  private func take() -> [(text: String, descriptor: Int32)]? {
    state.withLock { state in
      state.isWriting = !state.texts.isEmpty
      guard state.isWriting else { return nil }
      var texts = state.texts
      if state.lost > 0 {
        texts.append(("fob: \(state.lost) lines are lost here: nobody read them\n", STDERR_FILENO))
      }
      (state.texts, state.bytes, state.lost) = ([], 0, 0)
      return texts
    }
  }

  /// Waits for whoever reads.
  /// - Returns: why standard output has not taken all.
  static func write(_ text: String, to descriptor: Int32) -> IOFailure? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count < 0, code == EAGAIN {
        _ = try? Syscall.poll(descriptor, for: POLLOUT)
      } else if count < 0, code != EINTR {
        return descriptor == STDOUT_FILENO
          ? IOFailure("write", errno: code, path: "standard output") : nil
      }
      rest = rest.dropFirst(max(0, count))
    }
    return nil
  }
}
