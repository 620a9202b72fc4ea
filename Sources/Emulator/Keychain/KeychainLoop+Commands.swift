import FobBase
import SerialIO
import WireProtocol

/// What others ask of a keychain.
extension KeychainLoop {
  func carryOut(_ order: CommandQueue.Order) {
    let now = BootClock.now()
    do throws(CommandRefusal) {
      switch order.command {
      case .press(let hold):
        presses.add(firstEdge: try button.press(hold: hold, at: now), order.complete)
      case .pressAt(let due, let hold):
        presses.add(firstEdge: try button.press(hold: hold, at: max(now, due)), order.complete)
      case .hold:
        presses.add(firstEdge: try button.hold(at: now), order.complete)
      case .wait(let goal, let patience):
        goals.add(goal, until: now + patience, order.complete)
      case .state: order.complete(.success(.state(state(at: now))))
      case .lightTrace: order.complete(.success(.lightTrace(lightEdges)))
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
    case .release: try button.release(at: now)
    case .chatter(let chatters, let seed): button.setChatter(chatters, seed: seed, at: now)
    case .stick: try button.stick(at: now)
    case .unstick: try button.unstick(at: now)
    case .pressAtRandom(let presses): finger = presses.map { RandomFinger($0, at: now) }
    case .battery, .sag: try changeBattery(command, at: now)
    case .gps(let source, let elapsed): try hear(source, storyAt: elapsed, at: now)
    case .gpsClock(let elapsed):
      guard gps.setStoryClock(elapsed, now: now) else {
        throw CommandRefusal("no story is told: begin one with \"source\":\"story:tunnel\"")
      }
    case .unplug: try unplug()
    case .replug: try replug()
    case .reset: try reset()
    case .powerCut(let pause):
      guard isPowered else { throw CommandRefusal("the power is cut already") }
      publish(.powerCut) { $0.milliseconds = pause.microseconds / 1_000 }
      cutPower(for: pause, .powerOn, at: now)
    case .fault(let fault): faulty.set(fault)
    case .clearFaults: faulty.clear()
    case .failStore, .clockDrift, .clockJump: try changeOwn(command, at: now)
    case .press, .pressAt, .hold, .wait, .state, .lightTrace: break
    }
  }

  private func unplug() throws(CommandRefusal) {
    guard transport.isPluggedIn else { throw CommandRefusal("it is unplugged: replug it") }
    transport.pullOut()
    faulty.discard()
    isLinked = false
    publish(.unplugged)
  }

  private func replug() throws(CommandRefusal) {
    guard !transport.isPluggedIn else { throw CommandRefusal("it is plugged in: unplug it first") }
    do {
      try transport.plugIn()
    } catch {
      throw CommandRefusal(error.description)
    }
    if !transport.noticesHost { forgetSession() }
    publish(.plugged) { $0.path = transport.devicePath ?? transport.link }
  }

  private func hear(
    _ source: GPSSource, storyAt elapsed: Interval, at now: Instant
  ) throws(CommandRefusal) {
    do throws(IOFailure) {
      gps = try GPSFeed(source, at: now)
    } catch {
      throw CommandRefusal(error.description)
    }
    _ = gps.setStoryClock(elapsed, now: now)
  }
}
