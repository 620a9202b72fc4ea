import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// The bridge's end of a feed, performed as `RemoteBridge` performs it.
extension World {
  func isAtBridge(_ index: Int) -> Bool {
    guard let place = bridge?.place else { return false }
    return lines[index].host == place.host && place.keychains.contains(index)
  }

  /// The process that has a keychain's line open; nil: none.
  func ends(of index: Int) -> LineEnds? {
    guard let host = lines[index].host else { return nil }
    return isAtBridge(index) ? bridge?.run?.ends : hosts[host].run?.ends
  }

  func turn(_ bridge: SimulatedBridge) {
    while let parcel = bridge.network.take(upTo: now) { deliver(parcel, bridge) }
    guard let run = bridge.run else {
      if bridge.startsAt <= now { start(bridge) }
      return
    }
    if run.wake <= now { wake(run, bridge) }
  }

  // MARK: Life of the process

  private func start(_ bridge: SimulatedBridge) {
    bridge.startsAt = .never
    let run = BridgeProcess(
      Hex.text(bridge.random.next(), digits: 16), lines: lines.count,
      at: bridge.clock.reading(at: now))
    bridge.run = run
    for index in lines.indices where isAtBridge(index) { open(index, run, bridge) }
    arm(run, bridge)
  }

  func kill(_ bridge: SimulatedBridge, for span: Interval) {
    guard let run = bridge.run else { return }
    if let stream = run.stream { bridge.network.send(.left(stream: stream.number), at: now) }
    bridge.run = nil
    bridge.startsAt = now + span
  }

  func mend(_ bridge: SimulatedBridge) {
    bridge.network.clear(at: now)
    tellOfReach()
    if bridge.run == nil { bridge.startsAt = min(bridge.startsAt, now) }
  }

  func endStream(_ bridge: SimulatedBridge) {
    guard let stream = bridge.run?.stream else { return }
    bridge.network.send(.ended(stream: stream.number), at: now)
    bridge.network.send(.left(stream: stream.number), at: now)
  }

  // MARK: Lines

  func open(_ index: Int, _ run: BridgeProcess, _ bridge: SimulatedBridge) {
    let drawn = bridge.random.next()
    run.ends.sessions[index].opened(
      session: UInt32(truncatingIfNeeded: drawn) | 1, nonce: drawn,
      indication: run.heard.shown(on: index), at: bridge.clock.reading(at: now))
    run.ends.outboxes[index].removeAll(keepingCapacity: true)
    perform(
      run.ends.sessions[index].wake(at: bridge.clock.reading(at: now)), index, run, bridge)
    arm(run, bridge)
  }

  func close(_ index: Int, _ run: BridgeProcess, _ bridge: SimulatedBridge) {
    run.ends.outboxes[index].removeAll(keepingCapacity: true)
    perform(run.ends.sessions[index].gone(reason: "unplugged"), index, run, bridge)
    arm(run, bridge)
  }

  func read(
    _ bytes: UnsafeRawBufferPointer, from index: Int, _ run: BridgeProcess,
    _ bridge: SimulatedBridge
  ) {
    let read = run.ends.sessions[index].receive(bytes, at: bridge.clock.reading(at: now))
    perform(read, index, run, bridge)
    arm(run, bridge)
  }

  private func perform(
    _ output: HostOutput, _ index: Int, _ run: BridgeProcess, _ bridge: SimulatedBridge
  ) {
    for frame in output.frames { send(frame, index, run.ends) }
    for input in output.inputs {
      // An event without room stays on the keychain.
      _ = run.lines[index].take(input)
      post(index, run, bridge)
    }
  }

  // MARK: Towards the core

  private func post(_ line: Int, _ run: BridgeProcess, _ bridge: SimulatedBridge) {
    let now = bridge.clock.reading(at: now)
    guard
      let batch = run.lines[line].next(
        bridge: run.name, echo: run.heard.echo(at: now), at: now)
    else { return }
    let number = bridge.number()
    run.posts[line] = (number, now + UplinkQueue.answerWithin)
    sabotage?.posted(batch, as: number)
    bridge.network.send(.batch(batch, post: number), at: self.now)
  }

  /// A post was answered.
  /// - Parameters:
  ///   - answer: acks of committed events; nil: the post has failed.
  ///   - shown: what the line's keychain is to show with them.
  func answered(
    _ post: Int, _ answer: [EventAck]?, _ shown: FeedSignal.Shown?, _ bridge: SimulatedBridge
  ) {
    guard let run = bridge.run, let line = run.posts.firstIndex(where: { $0?.number == post })
    else { return }
    run.posts[line] = nil
    var acks = answer
    sabotage?.answered(post, &acks)
    var isCurrent = false
    if answer != nil {
      isCurrent = run.lines[line].succeeded()
    } else {
      run.lines[line].failed(at: bridge.clock.reading(at: now))
    }
    if isCurrent, let shown {
      perform(run.heard.answered(shown, at: bridge.clock.reading(at: now)), run, bridge)
    }
    for ack in acks ?? [] { acknowledge(line, ack, run, bridge) }
    if answer != nil { self.post(line, run, bridge) }
    arm(run, bridge)
  }

  // MARK: What the core says

  func heard(_ signal: FeedSignal, on stream: Int, _ bridge: SimulatedBridge) {
    guard let run = bridge.run, run.stream?.number == stream else { return }
    let now = bridge.clock.reading(at: now)
    run.stream?.silentAt = now + RemoteCoreState.streamSilentAfter
    let change = run.heard.heard(signal, at: now)
    if case .ack(let line, let ack) = signal { acknowledge(line, ack, run, bridge) }
    perform(change, run, bridge)
    arm(run, bridge)
  }

  func streamEnded(_ stream: Int, _ bridge: SimulatedBridge) {
    guard let run = bridge.run, run.stream?.number == stream else { return }
    run.stream = nil
    run.heard.streamEnded()
    run.streamAt = bridge.clock.reading(at: now) + RemoteCoreState.reconnectAfter
    arm(run, bridge)
  }

  private func acknowledge(
    _ line: Int, _ ack: EventAck, _ run: BridgeProcess, _ bridge: SimulatedBridge
  ) {
    let now = bridge.clock.reading(at: now)
    guard let frame = run.ends.sessions[line].acknowledge(ack, at: now) else { return }
    see(
      .acked(
        host: bridge.place.host, ack.number, keychain: line, identityCRC: ack.identityCRC))
    send(frame, line, run.ends)
  }

  private func perform(
    _ decided: RemoteCoreState.Change, _ run: BridgeProcess, _ bridge: SimulatedBridge
  ) {
    var change = decided
    sabotage?.follows(&change)
    switch change {
    case .nothing: break
    case .tell(let indications):
      for (line, indication) in indications.sorted(by: { $0.key < $1.key }) {
        indicate(indication, line, run, bridge)
      }
    case .withhold:
      for line in run.ends.sessions.indices { indicate(nil, line, run, bridge) }
    }
  }

  private func indicate(
    _ indication: Indication?, _ line: Int, _ run: BridgeProcess, _ bridge: SimulatedBridge
  ) {
    let now = bridge.clock.reading(at: now)
    if let frame = run.ends.sessions[line].indicate(indication, at: now) {
      send(frame, line, run.ends)
    }
  }

  // MARK: Deadlines

  private func wake(_ run: BridgeProcess, _ bridge: SimulatedBridge) {
    let now = bridge.clock.reading(at: now)
    for index in run.ends.sessions.indices {
      perform(run.ends.sessions[index].wake(at: now), index, run, bridge)
    }
    giveUp(run, bridge, at: now)
    perform(run.heard.due(at: now), run, bridge)
    if let due = run.streamAt, due <= now {
      run.streamAt = nil
      let number = bridge.number()
      run.stream = (number, now + RemoteCoreState.streamSilentAfter)
      bridge.network.send(
        .opens(stream: number, BridgeRun(holder: SimulatedFeedServer.holder, name: run.name)),
        at: self.now)
    }
    for line in run.lines.indices where run.lines[line].nextWake.map({ $0 <= now }) ?? false {
      post(line, run, bridge)
    }
    arm(run, bridge)
  }

  /// Gives up posts and streams that are silent for too long, as the client of `RemoteCore` does.
  private func giveUp(_ run: BridgeProcess, _ bridge: SimulatedBridge, at now: Instant) {
    for case let post? in run.posts where post.silentAt <= now {
      answered(post.number, nil, nil, bridge)
    }
    guard let stream = run.stream, stream.silentAt <= now else { return }
    bridge.network.send(.left(stream: stream.number), at: self.now)
    streamEnded(stream.number, bridge)
  }

  private func arm(_ run: BridgeProcess, _ bridge: SimulatedBridge) {
    let due = run.nextWake
    run.wake = due == .never ? .never : max(now, bridge.clock.hostInstant(dueAt: due))
  }
}
