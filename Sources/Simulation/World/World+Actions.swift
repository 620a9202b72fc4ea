import Emulator
import FobBase
import Judge
import WireProtocol

/// Performs the schedule's actions, and ends faults that last.
extension World {
  func perform(_ act: ScheduledAction) {
    coverage.count(act.action.fault, in: self)
    switch act.action {
    case .press(let index, let hold):
      keychains[index].finger.press(hold: hold, seed: act.seed, at: now)
    case .clicks(let index, let count):
      keychains[index].finger.click(count, seed: act.seed, at: now)
    case .stick(let index, let span):
      keychains[index].finger.stick(for: span, at: now)
      if !keychains[index].board.isClosed { move(keychains[index], closed: true) }
      poll(keychains[index])
    case .spoil(let index, let kind, let way, let rate, let span):
      lines[index].set(kind, way, rate: rate, seed: act.seed)
      activeFaults.add(.spoilt(keychain: index, kind), at: now + span)
    case .delay(let index, let delay, let span):
      lines[index].delay(by: delay)
      activeFaults.add(.delayed(keychain: index), at: now + span)
    case .unplug(let index, let span):
      guard let host = lines[index].host else { return }
      unplug(index)
      activeFaults.add(.unplugged(keychain: index, host: host), at: now + span)
    case .move(let index, let host):
      guard lines[index].host != nil, lines[index].host != host else { return }
      unplug(index)
      plug(index, into: host)
    case .attack(let index, let attack, let span):
      attacker?.begin(attack, on: index, for: span, seed: act.seed, at: now)
    default: performOnBoard(act)
    }
  }

  private func performOnBoard(_ act: ScheduledAction) {
    switch act.action {
    case .cutPower(let index, let bytes, let span):
      guard keychains[index].isOn else { return }
      keychains[index].board.memory.bytesUntilCut = bytes
      keychains[index].offFor = span
      keychains[index].powerGoes = now + .milliseconds(200)
    case .reset(let index):
      guard keychains[index].isOn else { return }
      losePower(keychains[index], for: .zero)
      boot(keychains[index], .watchdog)
    case .failStore(let index, let span):
      keychains[index].board.memory.isFailing = true
      activeFaults.add(.storeFailing(keychain: index), at: now + span)
    case .makeStoreForgetful(let index, let span):
      keychains[index].board.memory.isForgetful = true
      activeFaults.add(.storeForgetful(keychain: index), at: now + span)
    case .loseBootCounter(let index): keychains[index].board.memory.loseBootCounter()
    case .jumpClock(let index, let interval):
      keychains[index].board.jumpClock(by: interval, at: now)
      poll(keychains[index])
    case .battery(let index, let millivolts): keychains[index].board.millivolts = millivolts
    case .gps(let index, let story): keychains[index].tellStory(story, at: now)
    case .sicken(let index, let defect): keychains[index].voice!.fall(defect)
    default: performOnHost(act)
    }
  }

  private func performOnHost(_ act: ScheduledAction) {
    switch act.action {
    case .kill(let index, let effects, let span):
      guard let process = hosts[index].run?.process else { return }
      process.effectsUntilKill = effects
      process.downFor = span
      process.killedBy = now + .milliseconds(200)
    case .reboot(let index, let span, let shift):
      reboot(hosts[index], for: span, wallClockBy: shift)
    case .jumpWallClock(let index, let interval):
      for host in together(with: hosts[index]) where host.run != nil {
        host.setWallClock(by: interval)
        see(.rebooted(host: host.index, elapsedByWall: interval))
        tellWallClock(host)
      }
    case .disk(let index, let trouble, let span):
      hosts[index].disk.trouble = trouble
      activeFaults.add(.disk(host: index, trouble), at: now + span)
    case .channel(let index, let contact, let way, let trouble, let span):
      guard contact < schedule.setting.places else { return }
      hosts[index].channelFaults[way][contact] = trouble
      activeFaults.add(.channel(host: index, contact: contact, way: way), at: now + span)
    case .person(let index, let userRequest): ask(userRequest, hosts[index])
    case .checkIn(let index, let action): perform(action, hosts[index])
    case .review(let index, let action): perform(action, hosts[index])
    case .changeZone(let index, let zone):
      hosts[index].zone = zone
      handInZone(hosts[index])
    default: performOnBridge(act)
    }
  }

  private func performOnBridge(_ act: ScheduledAction) {
    guard let bridge else { return }
    switch act.action {
    case .feed(let trouble, let span):
      bridge.network.begin(trouble)
      tellOfReach()
      activeFaults.add(.feed(trouble), at: now + span)
    case .endStream: endStream(bridge)
    case .killBridge(let span): kill(bridge, for: span)
    default: preconditionFailure("every action is done somewhere")
    }
  }

  // MARK: Ends

  func perform(_ ending: Ending) {
    switch ending {
    case .spoilt(let index, let kind): lines[index].clear(kind)
    case .delayed(let index): lines[index].delay(by: .zero)
    case .unplugged(let index, let host): if lines[index].host == nil { plug(index, into: host) }
    case .storeFailing(let index): keychains[index].board.memory.isFailing = false
    case .storeForgetful(let index): keychains[index].board.memory.isForgetful = false
    case .disk(let index, let trouble):
      if hosts[index].disk.trouble == trouble { mendDisk(hosts[index]) }
    case .channel(let index, let contact, let way):
      hosts[index].channelFaults[way][contact] = nil
    case .feed(let trouble):
      bridge?.network.end(trouble, at: now)
      tellOfReach()
    }
  }

  private func mendDisk(_ host: SimulatedHost) {
    host.disk.trouble = nil
    // A commit that hung goes on.
    host.run?.process.commits.goOn(at: now)
  }

  // MARK: Calm

  func mend(_ keychain: SimulatedKeychain) {
    keychain.board.memory.isFailing = false
    keychain.board.memory.isForgetful = false
    keychain.board.memory.bytesUntilCut = nil
    keychain.powerGoes = .never
    if !keychain.isOn { keychain.powerReturns = min(keychain.powerReturns, now) }
    lines[keychain.index].clearFaults()
  }

  func mend(_ host: SimulatedHost) {
    mendDisk(host)
    host.forgetChannelFaults()
    if let run = host.run {
      run.process.effectsUntilKill = nil
      run.process.killedBy = .never
      for way in run.channels.indices { run.channels[way].hurry(at: now) }
    } else {
      host.startsAt = min(host.startsAt, now)
    }
  }
}

/// The end of a fault, with what it undoes.
enum Ending {
  case spoilt(keychain: Int, WireFault.Kind)
  case delayed(keychain: Int)
  case unplugged(keychain: Int, host: Int)
  case storeFailing(keychain: Int)
  case storeForgetful(keychain: Int)
  case disk(host: Int, DiskTrouble)
  case channel(host: Int, contact: Int, way: Int)
  case feed(FeedTrouble)
}

/// The faults that last, by the time of their ends.
struct ActiveFaults {
  private var waiting: [(at: Instant, ending: Ending)] = []

  var nextDue: Instant { waiting.first?.at ?? .never }

  mutating func add(_ ending: Ending, at due: Instant) {
    let place = waiting.firstIndex { $0.at > due } ?? waiting.count
    waiting.insert((due, ending), at: place)
  }

  mutating func take(upTo now: Instant) -> Ending? {
    guard let first = waiting.first, first.at <= now else { return nil }
    waiting.removeFirst()
    return first.ending
  }
}
