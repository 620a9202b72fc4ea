import AlertCore
import Control
public import FobBase
import Foundation
public import SerialIO
public import Sinks
import Synchronization
public import Transport
import WireProtocol

/// A bridge whose core is on another host. It relays the core's acks and indications, and makes
/// none itself. What a paired keychain and the core seal it carries as it is: it has no key. Events
/// that the core has not committed stay on the keychains, which send them again: nothing is stored
/// here.
public final class RemoteBridge: CoreEndpoint {
  private struct State {
    var lines: [UplinkQueue] = []
    var heard = RemoteCoreState()
    var streamAt: Instant?
    /// What was told since a core has answered.
    var troubles: [RemoteCoreFailure.Kind] = []
    var isReached = false
    /// Events that found no room in the queue.
    var left = Coalesced<LinkID>(Limits.noticePace)
  }

  private let core: any CoreClient
  /// The name of this run.
  private let name: String
  private let state = Mutex(State())
  private let devices: DeviceRegistry
  private let signal: EventSignal
  /// Probes the thread that keeps the deadlines.
  private let sign: LivenessProbe
  private let thread = Mutex<BlockingThread?>(nil)
  private let isStopping = Atomic(false)

  /// Connects to nothing before `start`.
  /// - Parameters:
  ///   - cores: the clients of the cores on other hosts: the one that serves gets all events.
  ///   - tuning: of every line and its thread.
  ///   - watcher: called in order on its own thread.
  public convenience init(
    to cores: [RemoteCore], tuning: LineTuning = .standard,
    watcher: @escaping @Sendable (BridgeEvent) -> Void
  ) throws(IOFailure) {
    try self.init(by: RemoteCores(cores), tuning: tuning, watcher: watcher)
  }

  init(
    by core: any CoreClient, tuning: LineTuning = .standard,
    watcher: @escaping @Sendable (BridgeEvent) -> Void
  ) throws(IOFailure) {
    self.core = core
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    name = String(repeating: "0", count: 16 - digits.count) + digits
    devices = try DeviceRegistry(tuning, try EventPublisher(watcher))
    signal = try EventSignal()
    sign = try LivenessProbe()
  }

  /// Opens the stream, then the devices.
  public func start(_ specs: [DeviceSpec]) throws(IOFailure) {
    try devices.events.start()
    state.withLock { $0.streamAt = BootClock.now() }
    let thread = try BlockingThread(name: "core") { [self] in keepDeadlines() }
    self.thread.withLock { $0 = thread }
    for spec in specs { try add(spec) }
  }

  /// Adds a device on its own line, and serves it from now on.
  public func add(_ spec: DeviceSpec) throws(IOFailure) {
    let session = devices.add(spec, self)
    try session?.start()
  }

  /// Adds every keychain that is plugged in, now or later, once each. Call it after `start`.
  public func find(_ match: KeychainMatch) throws(IOFailure) {
    try devices.find(match) { [weak self] in try self?.add($0) }
  }

  /// Closes the devices, the stream and the posts, and ends the threads. Events that are not acked
  /// stay on the keychains.
  public func stop() {
    guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    devices.stop()
    core.close()
    signal.signal()
    if let thread = thread.withLock({ $0.take() }) { _ = thread.join(within: .milliseconds(500)) }
    devices.events.stop(within: .milliseconds(300))
  }

  /// Why a press could not be handed to the core now, even if the core is reached; nil if it could.
  public func obstacleToPress(within patience: Interval) -> String? {
    let deadline = BootClock.now() + patience
    guard sign.comes(by: deadline, ask: { signal.signal() }) else {
      return "the thread that talks to the core does not answer"
    }
    return devices.silentReader(by: deadline)
  }

  // MARK: Towards the core

  @discardableResult
  func handle(_ input: CoreInput) -> Instant {
    let now = BootClock.now()
    switch input {
    // The core on the other host fits clocks, and judges proofs, by itself.
    case .clockFit, .proof: break
    default: if let link = input.link { queue(link, at: now) { $0.take(input) } }
    }
    return now
  }

  func relay(_ frame: HostOutput.Relayed, from link: LinkID) {
    queue(link, at: BootClock.now()) { $0.take(frame) }
  }

  /// - Parameter take: hands something to the line's queue; false: there is no room for an event.
  private func queue(_ link: LinkID, at now: Instant, _ take: (inout UplinkQueue) -> Bool) {
    let left = state.withLock { state -> UInt32? in
      while state.lines.count <= link.rawValue {
        state.lines.append(UplinkQueue(line: state.lines.count))
      }
      guard !take(&state.lines[link.rawValue]) else { return nil }
      return state.left.take(link, at: now)?.count
    }
    if let left { notice(.error, "too many events wait for the core: keychains keep \(left)") }
    post(link.rawValue)
  }

  private func post(_ line: Int) {
    let now = BootClock.now()
    let batch = state.withLock { state in
      state.lines[line].next(bridge: name, echo: state.heard.echo(at: now), at: now)
    }
    guard let batch, !isStopping.load(ordering: .acquiring) else { return }
    // Numbers, base64 and text always have a JSON form.
    let body = Array(try! JSONEncoder().encode(FeedBatch(batch)))
    core.post("/v1/feed", body, within: UplinkQueue.answerWithin) { [weak self] outcome in
      self?.answered(line, outcome)
    }
  }

  private func answered(_ line: Int, _ outcome: RemoteCore.Outcome) {
    let answer = outcome.flatMap { body -> Result<FeedAnswer, RemoteCoreFailure> in
      guard let answer = try? JSONDecoder().decode(FeedAnswer.self, from: Data(body)) else {
        return .failure(
          RemoteCoreFailure(.refused(200), "\(core.place) does not answer as a core does"))
      }
      return .success(answer)
    }
    switch answer {
    case .success(let answer):
      let light = state.withLock { state -> RemoteCoreState.Change? in
        let isCurrent = state.lines[line].succeeded(isSealRead: answer.sealed ?? false)
        guard isCurrent, let shown = answer.shown, shown.line == line else { return nil }
        return state.heard.answered(shown, at: BootClock.now())
      }
      // Before the acks: they end what the keychain shows by itself.
      if let light { perform(light) }
      for ack in answer.acks.compactMap({ EventAck(data: $0) }) { acknowledge(line, ack) }
      reached()
      post(line)
    case .failure(let failure):
      let isRefused = if case .refused(400..<500) = failure.kind { true } else { false }
      state.withLock { $0.lines[line].failed(isRefused: isRefused, at: BootClock.now()) }
      troubled(failure)
      signal.signal()
    }
  }

  // MARK: What the core says

  private func openStream() {
    core.stream("/v1/feed/stream?bridge=\(name)") { [weak self] event in
      guard let signal = FeedSignal(name: event.name, data: event.data) else { return }
      self?.heard(signal)
    } onEnd: { [weak self] failure in
      self?.streamEnded(failure)
    }
  }

  private func heard(_ signal: FeedSignal) {
    let now = BootClock.now()
    let change = state.withLock { $0.heard.heard(signal, at: now) }
    if case .ack(let line, let ack) = signal { acknowledge(line, ack) }
    if case .frame(let line, let frame) = signal {
      devices.relay(frame, on: LinkID(rawValue: line))
    }
    perform(change)
    reached()
    self.signal.signal()
  }

  private func streamEnded(_ failure: RemoteCoreFailure) {
    guard !isStopping.load(ordering: .acquiring) else { return }
    state.withLock { state in
      state.heard.streamEnded()
      state.streamAt = BootClock.now() + RemoteCoreState.reconnectAfter
    }
    troubled(failure)
    signal.signal()
  }

  private func acknowledge(_ line: Int, _ ack: EventAck) {
    devices.acknowledge(ack, on: LinkID(rawValue: line))
  }

  private func perform(_ change: RemoteCoreState.Change) {
    switch change {
    case .nothing: break
    case .tell(let indications):
      for (line, indication) in indications {
        devices.indicate(indication, to: [LinkID(rawValue: line)])
      }
    case .withhold:
      devices.indicate(nil, to: nil)
      notice(
        .warning, "nothing heard of the core for 5 s: the keychains are no longer told its state")
    }
  }

  func shown(on link: LinkID) -> Indication? {
    state.withLock { $0.heard.shown(on: link.rawValue) }
  }

  // MARK: Telling watchers

  private func notice(_ level: BridgeEvent.Notice.Level, _ text: String) {
    devices.events.notice(level, text)
  }

  /// Tells each kind of trouble once.
  private func troubled(_ failure: RemoteCoreFailure) {
    let isNews = state.withLock { state in
      state.isReached = false
      guard !state.troubles.contains(failure.kind) else { return false }
      state.troubles.append(failure.kind)
      return true
    }
    guard isNews else { return }
    let hint =
      failure.kind == .token
      ? "; make one there with fob token create --scope feed" : ""
    notice(
      .error, "\(failure)\(hint); it is tried again, and what is pressed stays on the keychains")
  }

  private func reached() {
    let isNews = state.withLock { state in
      defer { (state.troubles, state.isReached) = ([], true) }
      return !state.isReached
    }
    if isNews { notice(.info, "the core at \(core.place) answers") }
  }

  // MARK: Deadlines

  private func keepDeadlines() {
    while !isStopping.load(ordering: .acquiring) {
      let wake = state.withLock { state in
        let lines = state.lines.compactMap(\.nextWake).min()
        return [lines, state.heard.nextWake, state.streamAt].compactMap(\.self).min()
      }
      _ = try? Syscall.poll(signal.descriptor, for: 1, until: wake)
      signal.clear()
      sign.give()
      guard !isStopping.load(ordering: .acquiring) else { return }
      let now = BootClock.now()
      let (change, opens, lines) = state.withLock { state in
        let opens = state.streamAt.map { $0 <= now } ?? false
        if opens { state.streamAt = nil }
        let lines = state.lines.indices.filter {
          state.lines[$0].nextWake.map { $0 <= now } ?? false
        }
        return (state.heard.due(at: now), opens, lines)
      }
      perform(change)
      if opens { openStream() }
      for line in lines { post(line) }
    }
  }
}

/// The connection to a core on another host. No call waits.
protocol CoreClient: Sendable {
  /// The core's address, for people.
  var place: String { get }
  func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (RemoteCore.Outcome) -> Void)
  func stream(
    _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
    onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void)
  /// Ends the stream that is open.
  func endStream()
  func close()
}

extension RemoteCore: CoreClient {
  var place: String { address.url }
}
