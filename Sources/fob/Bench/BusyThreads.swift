import SerialIO
import Synchronization

/// Threads that do nothing, all the time.
final class BusyThreads: Sendable {
  private let isOver = Atomic(false)

  init(_ count: Int) throws(IOFailure) {
    for _ in 0..<count {
      _ = try BlockingThread(name: "busy") { [self] in
        while !isOver.load(ordering: .relaxed) {}
      }
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}
