import FobBase
import SerialIO
import Synchronization

/// Threads for one kind of request, so that other requests do not delay it.
///
/// Tasks run on them while they answer a request that was let through. Before that, and for
/// anonymous clients, tasks run on Swift's pool, where they do little.
final class RequestThreads: TaskExecutor {
  private struct Queue {
    /// The next job is at the end.
    var jobs: [UnownedJob] = []
    var later: [UnownedJob] = []
    var isClosed = false

    mutating func next() -> UnownedJob? {
      if jobs.isEmpty { (jobs, later) = (later.reversed(), []) }
      return jobs.popLast()
    }

    var isEmpty: Bool { jobs.isEmpty && later.isEmpty }
  }

  private let queue = Mutex(Queue())
  private let signal: EventSignal
  private let threads = Mutex<[BlockingThread]>([])

  init(name: String, threads count: Int) throws(IOFailure) {
    signal = try EventSignal()
    for _ in 0..<count {
      let thread = try BlockingThread(name: name) { [self] in loop() }
      threads.withLock { $0.append(thread) }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      queue.later.append(job)
      return true
    }
    // A task that outlives the server still ends.
    guard isTaken else { return job.runSynchronously(on: asUnownedTaskExecutor()) }
    signal.signal()
  }

  /// Finishes the waiting jobs, then ends the threads.
  func stop() {
    queue.withLock { $0.isClosed = true }
    signal.signal()
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ending where !thread.isCurrent { _ = thread.join(within: .seconds(1)) }
  }

  private func loop() {
    while true {
      signal.clear()
      let (job, isMore, isClosed) = queue.withLock { queue in
        let job = queue.next()
        return (job, !queue.isEmpty, queue.isClosed)
      }
      // Wakes the other threads, whose signal this one has cleared, too.
      if isMore || isClosed { signal.signal() }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isClosed {
        return
      } else {
        _ = try? Syscall.poll(signal.descriptor, for: 1)
      }
    }
  }
}
