public import FobBase
import Glibc
public import SerialIO
import Synchronization

/// Asks a receiver again and again whether it is there, on a thread of its own (ANSI/SIA
/// DC-09-2013, 5.5.2). What it has confirmed meanwhile counts, too. No alarm waits for it: each has
/// a connection of its own.
public final class DC09Supervision: Sendable {
  private let link: DC09Link
  private let name: String
  private let interval: Interval
  private let stopping: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// Asks nobody yet.
  /// - Parameters:
  ///   - sink: whose receiver it is.
  ///   - interval: from one confirmation to the next question.
  public init(of sink: DC09Sink, every interval: Interval) throws(IOFailure) {
    link = sink.link
    name = sink.name
    self.interval = interval
    stopping = try EventSignal()
  }

  /// Asks at once, and then until `stop`.
  /// - Parameter onChange: called on the thread with nil once the receiver confirms, and with what
  ///   is wrong once it does not; once each, however long it stays so.
  public func start(
    onChange: @escaping @Sendable (_ trouble: String?) -> Void
  ) throws(IOFailure) {
    let started = try BlockingThread(name: "asks \(name)") { [self] in run(onChange) }
    thread.withLock { $0 = started }
  }

  /// Ends. A thread that looks up a name is left behind.
  public func stop() {
    stopping.signal()
    _ = thread.withLock { $0.take() }?.join(within: .seconds(1))
  }

  private func run(_ onChange: @Sendable (String?) -> Void) {
    BlockingThread.runLater()
    var wasThere: Bool?
    while true {
      let asked = BootClock.now()
      let trouble = ask(at: asked)
      guard !isStopping(by: asked) else { return }
      if wasThere != (trouble == nil) { onChange(trouble) }
      wasThere = trouble == nil
      var due = asked + interval
      repeat {
        guard !isStopping(by: due) else { return }
        // An event that was confirmed puts the question off.
        due = max(due, (link.confirmedAt ?? asked) + interval)
      } while BootClock.now() < due
    }
  }

  private func ask(at now: Instant) -> String? {
    do throws(DC09Trouble) {
      try link.deliver(.linkTest, since: now, cancel: stopping.descriptor)
      return nil
    } catch {
      return error.reason
    }
  }

  /// Waits until then at most.
  private func isStopping(by deadline: Instant) -> Bool {
    (try? Syscall.poll(stopping.descriptor, for: POLLIN, until: deadline)) != 0
  }
}
