public import AlertCore
import FobBase
public import SerialIO
import Storage
import Synchronization
import WireProtocol

/// The core's end of bridges on other hosts: it takes their batches, and sends acks and
/// indications. Its own thread keeps the deadlines.
public final class FeedServer: RemoteOutput {
  /// Passes a signal to a bridge's stream; nil ends the stream. False: the stream takes no more.
  public typealias Tell = @Sendable (FeedSignal?) -> Bool

  /// Names an open stream for `close`.
  public struct StreamID: Hashable, Sendable { let rawValue: UInt64 }

  private struct Stream: Sendable {
    let id: StreamID
    let tell: Tell
  }

  private struct State {
    var table = FeedTable(nonce: UInt64.random(in: 0...UInt64.max))
    var answers: [UInt64: @Sendable (FeedAnswer) -> Void] = [:]
    var streams: [BridgeRun: Stream] = [:]
    var lastStream: UInt64 = 0
    /// Told whether a keychain has proved the key of its label.
    var asked: [DeviceID: @Sendable (PairingTalk.End) -> Void] = [:]
    var nextHeartbeat: Instant?
    /// When the thread looks again by itself; nil: it does not.
    var wake: Instant?
    var isStopped = false
    /// The cores that lines of bridges belong to.
    var owners: [LinkID: LineOwner] = [:]
  }

  private unowned let bridge: AlertBridge
  private let state = Mutex(State())
  /// Held while signals are taken and told, so that they leave in their order: what is sealed
  /// behind a later frame counts no more. Never held while a batch is answered or the core is
  /// asked.
  private let telling = Mutex(())
  private let signal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// Takes over the core's remote devices and starts the thread. Call `stop` before the bridge's.
  public init(_ bridge: AlertBridge) throws(IOFailure) {
    self.bridge = bridge
    signal = try EventSignal()
    bridge.devices.outlet = self
    use(bridge.devices.keyring?.table ?? KeyTable())
    let thread = try BlockingThread(name: "feed") { [unowned self] in keepDeadlines() }
    self.thread.withLock { $0 = thread }
  }

  /// Answers the batches that wait, without acks, and ends the streams and the thread, within 500
  /// ms.
  public func stop() {
    let (answers, streams, asked) = state.withLock { state in
      state.isStopped = true
      defer { (state.answers, state.streams, state.asked) = ([:], [:], [:]) }
      return (Array(state.answers.values), Array(state.streams.values), state.asked.values)
    }
    for answer in answers { answer(FeedAnswer()) }
    for answer in asked { answer(.unanswered) }
    for stream in streams { _ = stream.tell(nil) }
    signal.signal()
    if let thread = thread.withLock({ $0.take() }) { _ = thread.join(within: .milliseconds(500)) }
  }

  /// Hands a batch to the core.
  /// - Parameters:
  ///   - batch: as the bridge posted it, not yet checked.
  ///   - holder: the credential of the bridge; the number of bridges of one holder is limited.
  ///   - answer: called once on any thread, when all events of the batch are committed or it has
  ///     waited long enough; it must not wait.
  /// - Throws: `FeedRefusal` for a malformed batch, or if there are too many bridges.
  public func take(
    _ batch: FeedBatch, of holder: String, answer: @escaping @Sendable (FeedAnswer) -> Void
  ) throws(FeedRefusal) {
    let checked = try batch.checked()
    let now = BootClock.now()
    let (inputs, waits, isSooner, isStopped) = try state.withLock {
      state throws(FeedRefusal) -> ([CoreInput], Bool, Bool, Bool) in
      guard !state.isStopped else { return ([], false, false, true) }
      let (inputs, id) = try state.table.take(checked, of: holder, at: now)
      if let id { state.answers[id] = answer }
      // The silence of a bridge must be noticed, even if it has no stream.
      let next = state.table.nextWake(after: checked, of: holder)
      let isSooner = next.map { next in state.wake.map { next < $0 } ?? true } ?? false
      return (inputs, id != nil, isSooner, false)
    }
    if isSooner { signal.signal() }
    guard !isStopped else { return answer(FeedAnswer()) }
    tellSignals()
    hand(inputs)
    tellAsked()
    if !waits { answer(FeedAnswer()) }
  }

  /// Each input goes to the account of its keychain.
  private func hand(_ inputs: [CoreInput]) {
    for input in inputs {
      guard let link = input.link else {
        bridge.handle(input)
        continue
      }
      let owner = state.withLock { [bridge] state in
        let owner = state.owners[link] ?? LineOwner(link, bridge.runner)
        if case .linkDown = input { state.owners[link] = nil } else { state.owners[link] = owner }
        return owner
      }
      owner.core(for: input).handle(input)
    }
  }

  func renewOwners() {
    for owner in state.withLock({ Array($0.owners.values) }) { owner.renew() }
  }

  // MARK: Streams

  /// Opens a bridge's stream, and ends its earlier one.
  /// - Parameters:
  ///   - name: the bridge's own, new in each of its runs.
  ///   - holder: the credential of the bridge, as in `take`.
  ///   - tell: called for each signal, in order; it must not wait. Nil means that the stream is
  ///     over. If it returns false, the stream ends, too.
  /// - Returns: the id for `close`.
  /// - Throws: `FeedRefusal` if there are too many streams.
  public func open(
    for name: String, of holder: String, tell: @escaping Tell
  ) throws(FeedRefusal) -> StreamID {
    let now = BootClock.now()
    let bridge = BridgeRun(holder: holder, name: name)
    let (stream, earlier, shown) = try state.withLock {
      state throws(FeedRefusal) -> (Stream, Stream?, [(line: Int, indication: Indication)]) in
      guard !state.isStopped,
        state.streams[bridge] != nil
          || FeedTable.hasRoom(for: bridge, among: state.streams.keys)
      else { throw .full }
      state.lastStream += 1
      let stream = Stream(id: StreamID(rawValue: state.lastStream), tell: tell)
      let earlier = state.streams.updateValue(stream, forKey: bridge)
      if state.nextHeartbeat == nil { state.nextHeartbeat = now + FeedTable.heartbeatEvery }
      state.table.stream(of: bridge, isOpen: true)
      return (stream, earlier, state.table.shown(by: bridge))
    }
    _ = earlier?.tell(nil)
    say(.heartbeat(clock: now.microseconds), to: stream)
    for (line, indication) in shown {
      say(.indicate(FeedSignal.Shown(line, indication)), to: stream)
    }
    signal.signal()
    return stream.id
  }

  /// Forgets a stream without telling it; an unknown id does nothing.
  public func close(_ id: StreamID) {
    state.withLock { state in
      guard let bridge = state.streams.first(where: { $0.value.id == id })?.key else { return }
      state.streams[bridge] = nil
      state.table.stream(of: bridge, isOpen: false)
    }
  }

  /// Ends the stream of a bridge that does not read: the bridge opens a new one, and is told the
  /// present state.
  private func say(_ signal: FeedSignal, to stream: Stream) {
    if !stream.tell(signal) { close(stream.id) }
  }

  /// Tells bridges the frames that have come up for their keychains. A bridge without a stream gets
  /// none: each is said again.
  private func tellSignals() {
    telling.withLock { _ in
      let told = state.withLock { state in
        state.table.takeSignals().compactMap { bridge, signal in
          state.streams[bridge].map { (signal, $0) }
        }
      }
      for (signal, stream) in told { say(signal, to: stream) }
    }
  }

  // MARK: What the core says

  func use(_ table: KeyTable) {
    let inputs = state.withLock {
      $0.table.use(table.keys, offered: table.offered, at: BootClock.now())
    }
    signal.signal()
    tellSignals()
    hand(inputs)
  }

  func ask(
    for key: PairingKey, of device: DeviceID,
    answer: @escaping @Sendable (PairingTalk.End) -> Void
  ) -> PairingRefusal? {
    let refusal = state.withLock { state -> PairingRefusal? in
      guard state.asked[device] == nil else { return .underWay }
      guard !state.isStopped, state.table.ask(for: key, of: device, at: BootClock.now()) else {
        return .notLinked
      }
      state.asked[device] = answer
      return nil
    }
    signal.signal()
    return refusal
  }

  /// Whoever asked for a proof is told of it on a thread of its own, which may wait.
  private func tellAsked() {
    let (told, offers) = state.withLock { state in
      let told = state.table.takeAskedKeys().compactMap { device, isProved in
        state.asked.removeValue(forKey: device).map { ($0, isProved) }
      }
      return (told, state.table.takeOffers())
    }
    for (answer, isProved) in told {
      BlockingThread.run(named: "pairing") { answer(isProved ? .paired : .unanswered) }
    }
    for (device, isTaken) in offers {
      BlockingThread.run(named: "pairing") { [bridge] in bridge.settle(device, isTaken: isTaken) }
    }
  }

  func acknowledge(_ ack: EventAck, on link: LinkID) {
    let (destination, answer, stream) = state.withLock { state in
      let destination = state.table.acknowledge(ack, on: link)
      var answer: (@Sendable (FeedAnswer) -> Void)?
      var stream: Stream?
      switch destination {
      case .nobody, .sealed, .waits: break
      case .completes(let done): answer = state.answers.removeValue(forKey: done.id)
      case .stream(let bridge, _): stream = state.streams[bridge]
      }
      return (destination, answer, stream)
    }
    if case .completes(let done) = destination { answer?(FeedAnswer(done)) }
    tellSignals()
    if case .stream(_, let line) = destination, let stream {
      say(.ack(line: line, ack), to: stream)
    }
  }

  /// As `AlertStore.isLeading`.
  public var isLeading: Bool { bridge.store.isLeading }

  func indicate(_ indication: Indication, to links: [LinkID]?) {
    let told = state.withLock { state in
      state.table.indicate(indication, to: links).compactMap { bridge, line in
        state.streams[bridge].map { (line, $0) }
      }
    }
    for (line, stream) in told {
      say(.indicate(FeedSignal.Shown(line, indication)), to: stream)
    }
    tellSignals()
  }

  // MARK: Deadlines

  private func keepDeadlines() {
    while true {
      let (wake, isStopped) = state.withLock { state in
        state.wake = .earlier(state.table.nextWake, state.nextHeartbeat)
        return (state.wake, state.isStopped)
      }
      guard !isStopped else { return }
      _ = try? Syscall.poll(signal.descriptor, for: 1, until: wake)
      signal.clear()
      meetDeadlines(at: BootClock.now())
    }
  }

  private func meetDeadlines(at now: Instant) {
    let (inputs, answers, streams, ended, unproved) = state.withLock { state in
      let answers = state.table.takeOverdue(at: now).map {
        (tell: state.answers.removeValue(forKey: $0.id), answer: $0)
      }
      var streams: [Stream] = []
      if let due = state.nextHeartbeat, due <= now {
        streams = Array(state.streams.values)
        state.nextHeartbeat = streams.isEmpty ? nil : now + FeedTable.heartbeatEvery
      }
      let (inputs, silent) = state.table.takeSilent(at: now)
      let seals = state.table.keepSeals(at: now)
      let ended = silent.compactMap { state.streams.removeValue(forKey: $0) }
      return (inputs + seals.inputs, answers, streams, ended, seals.unproved)
    }
    tellSignals()
    for stream in ended { _ = stream.tell(nil) }
    hand(inputs)
    tellAsked()
    for (tell, answer) in answers { tell?(FeedAnswer(answer)) }
    for stream in streams { say(.heartbeat(clock: now.microseconds), to: stream) }
    for device in unproved {
      bridge.devices.events.notice(
        .error,
        "the keychain \(device.text) at a bridge does not prove that it is the one that is paired:"
          + " its presses count, and nothing else of it")
    }
  }
}
