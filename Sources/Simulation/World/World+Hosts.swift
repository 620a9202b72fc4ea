import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// Hosts: starting and killing their processes, their threads, and their lines.
extension World {
  func turn(_ host: SimulatedHost) {
    guard let run = host.run else {
      if host.startsAt <= now { start(host) }
      return
    }
    if run.killedBy <= now { return kill(host, for: run.downFor) }
    if let commit = run.commit, commit.fate.answersAt <= now { finish(commit, run, host) }
    for lane in run.channels.indices where host.run === run {
      if run.channels[lane].nextDue <= now { advance(lane, run, host) }
    }
    if host.run === run, run.wake <= now { wake(run, host) }
  }

  // MARK: Life of the process

  func start(_ host: SimulatedHost) {
    host.startsAt = .never
    if let found = host.disk.recoverLimbo(&host.random) {
      see(.stored(host: host.index, Batch(found)))
    }
    let timestamp = host.timestamp(at: now)
    var stored = host.disk.tables.state
    var account = host.disk.tables.account ?? account
    sabotage?.recovers(&stored, &account)
    let core = AlertCore(
      account: account, policy: schedule.setting.policy, recovering: stored, at: timestamp)
    let run = HostRun(
      core, lines: lines.count, ways: schedule.setting.ways,
      isFed: bridge?.place.host == host.index, at: now)
    run.ends.trust(host.keys)
    host.run = run
    let standing = RestoredState(core.status(at: timestamp))
    host.state = standing.state
    tellWallClock(host)
    see(.account(host: host.index, AccountState(core.account)))
    see(.started(host: host.index, standing))
    lookForOwner(host)
    readCompanions(host)
    tellWays(run, host)
    handInZone(host)
    if host.run === run { handle(.wake, run, host) }
    // A host without a line has deadlines, too.
    arm(run, host)
    for index in lines.indices
    where lines[index].host == host.index && !isAtBridge(index) && host.run === run {
      open(index, at: host)
    }
  }

  func kill(_ host: SimulatedHost, for span: Interval) {
    guard let run = host.run else { return }
    if let (_, changes, fate) = run.commit {
      if fate.failure != nil {
        host.disk.fail(changes)
      } else if Bool.random(using: &host.random) {
        apply(changes, host)
      }
    }
    for (lane, out) in run.channels.enumerated() {
      guard let call = out.call, !call.isTaken, call.takenAt != .never,
        Bool.random(using: &host.random)
      else { continue }
      see(.told(host: host.index, Message(call.notification, way: lane % schedule.setting.ways)))
    }
    host.run = nil
    partFromBridge(host, run)
    host.downSince = now
    host.state = nil
    host.startsAt = now + span
    see(.stopped(host: host.index))
  }

  func reboot(_ host: SimulatedHost, for span: Interval, wallClockBy shift: Interval) {
    kill(host, for: span)
    if let forgotten = host.disk.losePower(&host.random) {
      see(.diskForgot(host: host.index, forgotten))
      see(.companionsFound(host: host.index, Batch(companionsOf: host.disk.tables)))
    }
    host.startsAt = now + span
    host.reboot(at: host.startsAt)
    host.setWallClock(by: shift)
    see(.rebooted(host: host.index, elapsedByWall: now - host.downSince + shift))
    host.downSince = now
  }

  // MARK: Lines

  func open(_ index: Int, at host: SimulatedHost) {
    guard let run = host.run else { return }
    let drawn = host.random.next()
    run.ends.sessions[index].opened(
      session: UInt32(truncatingIfNeeded: drawn) | 1, nonce: drawn,
      indication: run.core.indication(
        at: host.timestamp(at: now), on: LinkID(rawValue: index)), at: host.bootClock(at: now))
    run.ends.outboxes[index].removeAll(keepingCapacity: true)
    wake(index, run, host)
    arm(run, host)
  }

  func close(_ index: Int, at host: SimulatedHost) {
    guard let run = host.run else { return }
    run.ends.outboxes[index].removeAll(keepingCapacity: true)
    perform(run.ends.sessions[index].gone(reason: "unplugged"), index, run, host)
    arm(run, host)
  }

  /// Takes one read, as `DeviceSession` does.
  func read(_ bytes: UnsafeRawBufferPointer, from index: Int, _ run: HostRun, _ host: SimulatedHost)
  {
    perform(run.ends.sessions[index].receive(bytes, at: host.bootClock(at: now)), index, run, host)
    arm(run, host)
  }

  /// Does what is due by the clock.
  private func wake(_ index: Int, _ run: HostRun, _ host: SimulatedHost) {
    perform(run.ends.sessions[index].wake(at: host.bootClock(at: now)), index, run, host)
  }

  /// Performs a session's effects as `DeviceSession` does. The process may be gone after any input.
  func perform(_ output: HostOutput, _ index: Int, _ run: HostRun, _ host: SimulatedHost) {
    for frame in output.frames { send(frame, index, run.ends) }
    for input in output.inputs where host.run === run { take(input, run, host) }
  }

  /// Takes an input of a line, of this host or of a bridge.
  func take(_ input: CoreInput, _ run: HostRun, _ host: SimulatedHost) {
    switch input {
    case .event(_, let record, _): see(.heard(host: host.index, Event(record)))
    case .barePress(_, let identity):
      see(.heard(host: host.index, Event(EventRecord(identity))))
    case .unprovedPress(_, let identity):
      see(.heardUnproved(host: host.index, Event(EventRecord(identity))))
    case .linkUp(let link, let hello): run.named[link] = hello.deviceID
    case .linkDown(let link, _): run.named[link] = nil
    // A bridge's lines are beyond those of the host, and none of them is attacked.
    case .heartbeat(let link, let beat)
    where attacker != nil && run.ends.sessions.indices.contains(link.rawValue):
      guard let device = run.named[link], isPaired(device) else { break }
      // Whoever is on the wires may lead a keychain's line to where another's was.
      let keychain = keychains.firstIndex { $0.board.deviceID == device } ?? link.rawValue
      see(.believed(host: host.index, keychain: keychain, uptime: beat.uptime))
    default: break
    }
    handle(input, run, host)
  }

  /// Sends a frame whole or not at all, as `FrameSender` does.
  func send(_ frame: WireFrame, _ index: Int, _ ends: LineEnds) {
    frame.withBytes { bytes in
      heardOnLine(bytes)
      if ends.outboxes[index].isEmpty, bytes.count <= lines[index].toDevice.room {
        carry(bytes, index, .toDevice)
      } else if ends.outboxes[index].count + bytes.count <= Limits.hostTransmitBuffer {
        ends.outboxes[index] += bytes
      }
    }
  }

  func flush(_ ends: LineEnds, _ index: Int) {
    guard !ends.outboxes[index].isEmpty else { return }
    let count = min(ends.outboxes[index].count, lines[index].toDevice.room)
    ends.outboxes[index].withUnsafeBytes { bytes in
      carry(UnsafeRawBufferPointer(rebasing: bytes[..<count]), index, .toDevice)
    }
    ends.outboxes[index].removeFirst(count)
  }

  // MARK: Threads

  private func wake(_ run: HostRun, _ host: SimulatedHost) {
    handle(.wake, run, host)
    for index in run.ends.sessions.indices where host.run === run {
      wake(index, run, host)
    }
    if host.run === run { meetDeadlines(of: run, host) }
    arm(run, host)
  }

  /// Sets the next wake, for the timer thread and the readers' own deadlines.
  func arm(_ run: HostRun, _ host: SimulatedHost) {
    guard host.run === run else { return }
    let due = run.nextWake(after: host.timestamp(at: now))
    run.wake = due == .never ? .never : max(now, host.trueInstant(due))
  }

  private func finish(
    _ commit: (number: UInt64, changes: Changes, fate: Disk.Fate), _ run: HostRun,
    _ host: SimulatedHost
  ) {
    run.commit = nil
    if let failure = commit.fate.failure {
      host.disk.fail(commit.changes)
      handle(.commitFailed(commit.number, reason: failure), run, host)
    } else {
      apply(commit.changes, host)
      handle(.committed(commit.number), run, host)
    }
    arm(run, host)
  }

  func apply(_ changes: Changes, _ host: SimulatedHost) {
    host.disk.apply(changes)
    see(.stored(host: host.index, Batch(changes)))
    for entry in changes.log { publish(entry, in: .log, host) }
  }

  private func advance(_ lane: Int, _ run: HostRun, _ host: SimulatedHost) {
    guard let call = run.channels[lane].call else { return }
    let way = lane % schedule.setting.ways
    if !call.isTaken, call.takenAt <= now {
      run.channels[lane].take()
      see(.told(host: host.index, Message(call.notification, way: way)))
    }
    guard call.answeredAt <= now else { return }
    run.channels[lane].end()
    beginCall(lane, run, host)
    run.handedOut[call.notification.key] = nil
    if call.error != nil { see(.refused(host: host.index, Message(call.notification, way: way))) }
    handle(.answered(key: call.notification.key, error: call.error), run, host)
    arm(run, host)
  }

  func beginCall(_ lane: Int, _ run: HostRun, _ host: SimulatedHost) {
    let troubles = host.channelFaults[lane % schedule.setting.ways]
    run.channels[lane].begin({ troubles[$0.place] }, &host.random, at: now)
  }
}
