import AlertCore
import FobBase
import Foundation
public import SerialIO
import Synchronization
import WireProtocol

/// The core's end of bridges on other hosts: their batches go in, acks and what is to be shown come
/// out. A thread of its own keeps its deadlines.
public final class FeedDesk: CoreOutlet {
  public typealias Signals = AsyncStream<FeedSignal>

  private struct State {
    var table = FeedTable()
    var answers: [UInt64: @Sendable (FeedAnswer) -> Void] = [:]
    var streams: [String: (id: UInt64, signals: Signals.Continuation)] = [:]
    var lastStream: UInt64 = 0
    var nextHeartbeat: Instant?
    var isStopped = false
  }

  private static let heartbeatEvery = Interval.seconds(2)
  /// Signals held back for a bridge that does not read; then its stream ends, and it comes anew.
  private static let mostSignals = 4_096

  private unowned let bridge: AlertBridge
  private let state = Mutex(State())
  private let signal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// Call `stop` before the bridge's.
  public init(_ bridge: AlertBridge) throws(IOFailure) {
    self.bridge = bridge
    signal = try EventSignal()
    bridge.outlet = self
    let thread = try BlockingThread(name: "feed") { [unowned self] in keepDeadlines() }
    self.thread.withLock { $0 = thread }
  }

  public func stop() {
    let (answers, streams) = state.withLock { state in
      state.isStopped = true
      defer { (state.answers, state.streams) = ([:], [:]) }
      return (Array(state.answers.values), Array(state.streams.values))
    }
    for answer in answers { answer(FeedAnswer(acks: [])) }
    for stream in streams { stream.signals.finish() }
    signal.signal()
    if let thread = thread.withLock({ $0.take() }) { _ = thread.join(within: .milliseconds(500)) }
  }

  /// Hands a batch to the core.
  /// - Parameter answer: called once, when all its events are committed or it has waited long
  ///   enough, on any thread; it must not wait.
  public func take(
    _ batch: FeedBatch, answer: @escaping @Sendable (FeedAnswer) -> Void
  ) throws(FeedRefusal) {
    let checked = try batch.checked()
    let now = BootClock.now()
    let (inputs, waits, isStopped) = try state.withLock {
      state throws(FeedRefusal) -> ([CoreInput], Bool, Bool) in
      guard !state.isStopped else { return ([], false, true) }
      let (inputs, id) = try state.table.take(batch, checked, at: now)
      if let id { state.answers[id] = answer }
      return (inputs, id != nil, false)
    }
    if waits { signal.signal() }
    guard !isStopped else { return answer(FeedAnswer(acks: [])) }
    for input in inputs { bridge.handle(input) }
    if !waits { answer(FeedAnswer(acks: [])) }
  }

  // MARK: Streams

  /// What a bridge is told from now on; it ends the bridge's earlier stream.
  public func signals(to bridge: String) -> Signals {
    let (stream, signals) = Signals.makeStream(
      bufferingPolicy: .bufferingOldest(Self.mostSignals))
    let now = BootClock.now()
    let (id, earlier) = state.withLock { state -> (UInt64, Signals.Continuation?) in
      guard !state.isStopped, state.streams[bridge] != nil
        || state.streams.count < FeedTable.mostBridges
      else { return (0, signals) }
      state.lastStream += 1
      let earlier = state.streams.updateValue((state.lastStream, signals), forKey: bridge)
      if state.nextHeartbeat == nil { state.nextHeartbeat = now + Self.heartbeatEvery }
      return (state.lastStream, earlier?.signals)
    }
    earlier?.finish()
    signals.onTermination = { [weak self] _ in self?.ended(bridge, id) }
    signals.yield(.heartbeat(clock: now.microseconds))
    for (line, indication) in state.withLock({ $0.table.shown(by: bridge) }) {
      Self.tell(signals, .indicate(FeedSignal.Shown(line, indication)))
    }
    signal.signal()
    return stream
  }

  private func ended(_ bridge: String, _ id: UInt64) {
    state.withLock { state in
      if state.streams[bridge]?.id == id { state.streams[bridge] = nil }
    }
  }

  /// A bridge that does not read has its stream ended.
  private static func tell(_ signals: Signals.Continuation, _ signal: FeedSignal) {
    if case .dropped = signals.yield(signal) { signals.finish() }
  }

  // MARK: What the core says

  func acknowledge(_ ack: EventAck, on link: LinkID) {
    let (answer, acks, stream, line) = state.withLock { state in
      switch state.table.acknowledge(ack, on: link) {
      case .nobody, .waits:
        return (nil, [], nil, 0)
          as ((@Sendable (FeedAnswer) -> Void)?, [EventAck], Signals.Continuation?, Int)
      case .completes(let id, let acks):
        return (state.answers.removeValue(forKey: id), acks, nil, 0)
      case .stream(let bridge, let line): return (nil, [], state.streams[bridge]?.signals, line)
      }
    }
    answer?(FeedAnswer(acks: acks.map(\.data)))
    if let stream { Self.tell(stream, .ack(line: line, ack.data)) }
  }

  func indicate(_ indication: Indication, to links: [LinkID]?) {
    let told = state.withLock { state in
      state.table.indicate(indication, to: links).compactMap { bridge, line in
        state.streams[bridge].map { (line, $0.signals) }
      }
    }
    for (line, signals) in told {
      Self.tell(signals, .indicate(FeedSignal.Shown(line, indication)))
    }
  }

  // MARK: Deadlines

  private func keepDeadlines() {
    while true {
      let (wake, isStopped) = state.withLock { state in
        ([state.table.nextWake, state.nextHeartbeat].compactMap(\.self).min(), state.isStopped)
      }
      guard !isStopped else { return }
      _ = try? Syscall.poll(signal.descriptor, for: 1, until: wake)
      signal.clear()
      meetDeadlines(at: BootClock.now())
    }
  }

  private func meetDeadlines(at now: Instant) {
    let (inputs, answers, streams) = state.withLock { state in
      let answers = state.table.takeOverdue(at: now).map {
        (answer: state.answers.removeValue(forKey: $0.id), acks: $0.acks)
      }
      var streams: [Signals.Continuation] = []
      if let due = state.nextHeartbeat, due <= now {
        streams = state.streams.values.map(\.signals)
        state.nextHeartbeat = streams.isEmpty ? nil : now + Self.heartbeatEvery
      }
      return (state.table.takeSilent(at: now), answers, streams)
    }
    for input in inputs { bridge.handle(input) }
    for (answer, acks) in answers { answer?(FeedAnswer(acks: acks.map(\.data))) }
    for stream in streams { Self.tell(stream, .heartbeat(clock: now.microseconds)) }
  }
}
