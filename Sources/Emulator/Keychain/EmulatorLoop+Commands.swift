import Firmware
import FobBase
import SerialIO
import WireProtocol

/// What others ask of the emulator.
extension EmulatorLoop {
  func carryOut(_ order: Mailbox.Order) {
    let now = BootClock.now()
    do throws(CommandRefusal) {
      switch order.command {
      case .press(let hold):
        presses.add(firstEdge: try board.button.press(hold: hold, at: now), order.complete)
      case .hold:
        presses.add(firstEdge: try board.button.hold(at: now), order.complete)
      case .wait(let goal, let patience):
        goals.add(goal, until: now + patience, order.complete)
      case .state: order.complete(.success(.state(state(at: now))))
      case .lightTrace: order.complete(.success(.lightTrace(board.light.edges())))
      default:
        try change(order.command, at: now)
        order.complete(.success(.done))
      }
    } catch {
      order.complete(.failure(error))
    }
  }

  private func change(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    switch command {
    case .release: try board.button.release(at: now)
    case .battery, .sag, .clockDrift, .clockJump, .gps, .gpsClock, .chatter, .stick, .unstick:
      try changeBoard(command, at: now)
    case .unplug:
      guard plug.isPluggedIn else { throw CommandRefusal("it is unplugged: replug it") }
      plug.pullOut()
      faulty.discard()
      isLinked = false
      publish(.unplugged)
    case .replug: try replug()
    case .reset:
      guard keychain != nil else { throw CommandRefusal("the keychain has no power") }
      publish(.reset)
      boot(.resetPin)
    case .powerCut(let pause):
      guard keychain != nil else { throw CommandRefusal("the power is cut already") }
      publish(.powerCut) { $0.milliseconds = pause.microseconds / 1_000 }
      cutPower(for: pause, at: now)
    case .failStore(let fails): store.fails = fails
    case .pressAtRandom(let presses): finger = presses.map { RandomFinger($0, at: now) }
    case .fault(let fault): faulty.set(fault)
    case .clearFaults: faulty.clear()
    case .press, .hold, .wait, .state, .lightTrace: break
    }
  }

  func pressAtRandom(at now: Instant) {
    while let hold = finger?.take(upTo: now) {
      // Refused while a finger that was asked for is on the button: that press is not made.
      _ = try? board.button.press(hold: hold, at: now)
    }
  }

  private func replug() throws(CommandRefusal) {
    guard !plug.isPluggedIn else { throw CommandRefusal("it is plugged in: unplug it first") }
    do {
      try plug.plugIn()
    } catch {
      throw CommandRefusal(error.description)
    }
    if !plug.noticesHost { session = 0 }
    publish(.plugged) { $0.path = plug.devicePath ?? plug.link }
  }

  private func state(at now: Instant) -> EmulatorState {
    var state = EmulatorState(
      device: board.deviceID.text, link: plug.link, pty: plug.devicePath,
      plugged: plug.isPluggedIn, powered: keychain != nil, host: plug.hostIsPresent,
      linked: isLinked, shown: shown.map { "\($0)" }, detail: shownDetail,
      led: board.light.isOn, sounder: board.sounder,
      held: board.button.isHeld || board.button.isClosed,
      battery: board.battery.percent(at: now), millivolts: board.batteryMillivolts(),
      drain: board.battery.drainPerHour, drift: board.clock.driftPPM,
      receiver: board.gps.source.text, chatter: board.button.chatters,
      stuck: board.button.isStuck)
    if !faulty.faults.isEmpty { state.faults = faulty.faults.map { FaultState($0) } }
    let strikes = faulty.strikes
    if !strikes.isEmpty {
      state.struck = Dictionary(uniqueKeysWithValues: strikes.map { ($0.key.rawValue, $0.value) })
    }
    guard let keychain else { return state }
    let position = keychain.position(at: board.now())
    state.unacked = keychain.unackedCount
    state.boot = keychain.bootCounter
    state.gps = "\(position.quality)"
    guard position.isKnown else { return state }
    state.latitude = position.latitude
    state.longitude = position.longitude
    return state
  }
}
