import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// The core's end of a feed, performed as `FeedServer` performs it, and the way between both.
extension World {
  func deliver(_ parcel: FeedNetwork.Parcel, _ bridge: SimulatedBridge) {
    switch parcel {
    case .answer(let post, let acks, let shown): return answered(post, acks, shown, bridge)
    case .failed(let post): return answered(post, nil, nil, bridge)
    case .signal(let stream, let signal): return heard(signal, on: stream, bridge)
    case .ended(let stream): return streamEnded(stream, bridge)
    case .batch, .opens, .left: break
    }
    let host = hosts[bridge.place.host]
    switch (parcel, host.run) {
    case (.batch(let batch, let post), let run?): take(batch, post, run, host, bridge)
    case (.batch(_, let post), nil): bridge.network.send(.failed(post: post), at: now)
    case (.opens(let stream, let name), let run?): open(stream, name, run, host, bridge)
    case (.opens(let stream, _), nil): bridge.network.send(.ended(stream: stream), at: now)
    case (.left(let stream), let run?):
      run.feedServer.streams = run.feedServer.streams.filter { $0.value != stream }
    default: break
    }
  }

  private func take(
    _ batch: CheckedFeed, _ post: Int, _ run: HostRun, _ host: SimulatedHost,
    _ bridge: SimulatedBridge
  ) {
    if let sabotage, !sabotage.takes(batch) {
      return bridge.network.send(.answer(post: post, []), at: now)
    }
    let time = host.bootClock(at: now)
    guard
      let (inputs, number) = try? run.feedServer.table.take(
        batch, of: SimulatedFeedServer.holder, at: time)
    else { return bridge.network.send(.failed(post: post), at: now) }
    if let number { run.feedServer.answers[number] = post }
    for input in inputs where host.run === run { take(input, run, host) }
    guard host.run === run else { return }
    if number == nil { bridge.network.send(.answer(post: post, []), at: now) }
    arm(run, host)
  }

  private func open(
    _ stream: Int, _ name: BridgeRun, _ run: HostRun, _ host: SimulatedHost,
    _ bridge: SimulatedBridge
  ) {
    let time = host.bootClock(at: now)
    let earlier = run.feedServer.streams.updateValue(stream, forKey: name)
    if let earlier { bridge.network.send(.ended(stream: earlier), at: now) }
    if run.feedServer.nextHeartbeat == nil {
      run.feedServer.nextHeartbeat = time + FeedTable.heartbeatEvery
    }
    say(.heartbeat(clock: time.microseconds), to: stream)
    for (line, indication) in run.feedServer.table.shown(by: name) {
      say(.indicate(FeedSignal.Shown(line, indication)), to: stream)
    }
    arm(run, host)
  }

  private func say(_ signal: FeedSignal, to stream: Int) {
    bridge?.network.send(.signal(stream: stream, signal), at: now)
  }

  private func say(_ answer: FeedTable.Answer, _ run: HostRun) {
    guard let post = run.feedServer.answers.removeValue(forKey: answer.id) else { return }
    bridge?.network.send(.answer(post: post, answer.acks, answer.shown), at: now)
  }

  // MARK: What the core says

  func acknowledgeFar(_ ack: EventAck, on link: LinkID, _ run: HostRun) {
    switch run.feedServer.table.acknowledge(ack, on: link) {
    case .nobody, .sealed, .waits: break
    case .completes(let answer): say(answer, run)
    case .stream(let name, let line):
      if let stream = run.feedServer.streams[name] { say(.ack(line: line, ack), to: stream) }
    }
  }

  /// The keychains on these links, at the core's own lines and at those of bridges.
  func keychains(on links: [LinkID], _ run: HostRun) -> Set<Int> {
    Set(
      links.compactMap {
        $0.rawValue < FeedTable.firstLink ? $0.rawValue : run.feedServer.table.place(of: $0)?.line
      })
  }

  func indicateFar(_ indication: Indication, to links: [LinkID]?, _ run: HostRun) {
    for (name, line) in run.feedServer.table.indicate(indication, to: links) {
      guard let stream = run.feedServer.streams[name] else { continue }
      say(.indicate(FeedSignal.Shown(line, indication)), to: stream)
    }
  }

  // MARK: Deadlines

  func meetDeadlines(of run: HostRun, _ host: SimulatedHost) {
    let time = host.bootClock(at: now)
    guard run.isFed, run.feedServer.nextWake <= time else { return }
    let overdue = run.feedServer.table.takeOverdue(at: time)
    var beats: [Int] = []
    if let due = run.feedServer.nextHeartbeat, due <= time {
      beats = run.feedServer.streams.values.sorted()
      run.feedServer.nextHeartbeat = beats.isEmpty ? nil : time + FeedTable.heartbeatEvery
    }
    let (inputs, silent) = run.feedServer.table.takeSilent(at: time)
    for stream in silent.compactMap({ run.feedServer.streams.removeValue(forKey: $0) }) {
      bridge?.network.send(.ended(stream: stream), at: now)
    }
    for input in inputs where host.run === run { take(input, run, host) }
    for answer in overdue { say(answer, run) }
    for stream in beats { say(.heartbeat(clock: time.microseconds), to: stream) }
  }

  /// The process of a core is gone: its kernel tells the bridge, or nobody does.
  func partFromBridge(_ host: SimulatedHost, _ run: HostRun) {
    guard let bridge, bridge.place.host == host.index, Bool.random(using: &bridge.random) else {
      return
    }
    for post in run.feedServer.answers.values.sorted() {
      bridge.network.send(.failed(post: post), at: now)
    }
    for stream in run.feedServer.streams.values.sorted() {
      bridge.network.send(.ended(stream: stream), at: now)
    }
  }

  // MARK: What the judge is told

  /// Tells the judge which keychains are at a bridge that hears nothing of its core.
  func tellOfReach() {
    guard let bridge else { return }
    for index in lines.indices {
      let isCutOff = isAtBridge(index) && bridge.network.isCut
      guard isCutOff != cutOff.contains(index) else { continue }
      cutOff.formSymmetricDifference([index])
      see(.cutOff(keychain: index, isCutOff))
    }
  }
}
