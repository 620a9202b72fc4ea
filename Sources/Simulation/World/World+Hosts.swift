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
    if run.process.killedBy <= now { return kill(host, for: run.process.downFor) }
    if run.process.commits.answersAt <= now { finishCommit(of: run.process) }
    for lane in run.channels.indices where host.run === run {
      if run.channels[lane].nextDue <= now { advance(lane, run, host) }
    }
    if host.run === run, run.wake <= now { wake(run, host) }
  }

  // MARK: Life of the process

  /// Starts a host's process, with the cores of all hosts that share it.
  func start(_ host: SimulatedHost) {
    let hosts = together(with: host)
    for host in hosts { host.startsAt = .never }
    for (account, found) in host.disk.recoverLimbo(&host.random) ?? [] {
      see(.stored(host: hosts[account].index, Batch(found)))
    }
    let process = ProcessRun(lines: lines.count)
    process.ends.trust(host.keys)
    for host in hosts { start(host, process, isHome: host === hosts[0]) }
    host.disk.isNew = false
    if isShared {
      tellOthersEvents(of: (0..<schedule.setting.keychains).map { DeviceID(keychain: $0) }, process)
    }
    guard let run = host.run else { return }
    for index in lines.indices
    where lines[index].host == host.index && !isAtBridge(index) && host.run === run {
      open(index, at: host)
    }
  }

  private func start(_ host: SimulatedHost, _ process: ProcessRun, isHome: Bool) {
    let timestamp = host.timestamp(at: now)
    var stored = host.tables.state
    var account = host.tables.account ?? host.firstAccount
    stored.identities = host.heardByOthers(from: account.devices ?? []) + stored.identities
    sabotage?.recovers(&stored, &account, host)
    stored.isNew = host.disk.isNew
    let core = AlertCore(
      account: account, policy: schedule.setting.policy, recovering: stored, at: timestamp)
    let run = HostRun(
      core, of: process, isHome: isHome, ways: schedule.setting.ways,
      isFed: bridge?.place.host == host.index, at: now)
    host.run = run
    _ = process.owners.learn(core.account, of: AccountNumber(index: host.account))
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
  }

  /// Kills a host's process, with the cores of all hosts that share it.
  func kill(_ host: SimulatedHost, for span: Interval) {
    guard let process = host.run?.process else { return }
    if let fate = process.commits.fate {
      if fate.failure != nil {
        host.disk.fail(process.commits.transaction)
      } else if Bool.random(using: &host.random) {
        apply(process.commits.works)
      }
    }
    for host in together(with: host) { stop(host, for: span) }
  }

  private func stop(_ host: SimulatedHost, for span: Interval) {
    guard let run = host.run else { return }
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
    let forgotten = host.disk.losePower(&host.random)
    for host in together(with: host) {
      if let forgotten {
        see(.diskForgot(host: host.index, forgotten[host.account]))
        see(.companionsFound(host: host.index, Batch(companionsOf: host.tables)))
      }
      boot(host, after: span, wallClockBy: shift)
    }
  }

  private func boot(
    _ host: SimulatedHost, after span: Interval, wallClockBy shift: Interval
  ) {
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
      indication: owner(of: index, run, host).run.core.indication(
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
    for input in output.inputs where host.run === run {
      guard isShared else {
        take(input, run, host)
        continue
      }
      pass(input, from: index, of: run.process)
    }
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
    if run.isHome {
      for index in run.ends.sessions.indices where host.run === run { wake(index, run, host) }
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

  private func finishCommit(of process: ProcessRun) {
    let works = process.commits.works
    if process.commits.fate?.failure == nil {
      apply(works)
    } else {
      works[0].host.disk.fail(process.commits.transaction)
    }
    for (work, failure) in process.commits.finish(at: now) {
      guard let run = work.host.run, run.process === process else { return }
      handle(
        failure.map { .commitFailed(work.batch.number, reason: $0) }
          ?? .committed(work.batch.number), run, work.host)
      arm(run, work.host)
    }
  }

  private func apply(_ works: [CommitLane.Work]) {
    works[0].host.disk.apply(works.map { ($0.host.account, $0.batch.changes) })
    for work in works {
      let changes = work.batch.changes
      var batch = Batch(changes)
      if isShared { batch.logged = devices(in: changes.log) }
      see(.stored(host: work.host.index, batch))
      for entry in changes.log { publish(entry, in: .log, work.host) }
    }
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
