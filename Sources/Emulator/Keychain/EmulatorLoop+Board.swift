import FobBase
import SerialIO
import WireProtocol

/// What happens to the board's parts: battery, clock, receiver and button.
extension EmulatorLoop {
  /// The processor stays in reset for at least so long.
  private static let shortestBrownOut = Interval.milliseconds(50)
  private static let longestJump = Interval.seconds(3_600)

  func changeBoard(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    switch command {
    case .battery(let percent, let millivolts, let drain):
      try setBattery(percent, millivolts, drain, at: now)
    case .sag(let millivolts, let interval):
      board.battery.sag(by: millivolts, for: interval, at: now)
    case .clockDrift(let ppm):
      let most = BoardClock.greatestDrift
      guard (-most...most).contains(ppm) else {
        throw CommandRefusal("a clock drifts by \(most) parts per million at most")
      }
      board.clock.setDrift(ppm, at: now)
    case .clockJump(let interval): try jumpClock(by: interval, at: now)
    case .gps(let source, let elapsed): try hear(source, storyAt: elapsed, at: now)
    case .gpsClock(let elapsed):
      guard board.gps.setStoryClock(elapsed, now: now) else {
        throw CommandRefusal("no story is told: begin one with \"source\":\"story:tunnel\"")
      }
    case .chatter(let chatters, let seed):
      board.button.setChatter(chatters, seed: seed, at: now)
    case .stick: try board.button.stick(at: now)
    case .unstick: try board.button.unstick(at: now)
    default: break
    }
  }

  /// After each poll, since what the firmware has switched on draws current.
  func watchBattery(at now: Instant) {
    let percent = board.battery.percent(at: now)
    if percent != toldPercent {
      toldPercent = percent
      publish(.battery) { $0.percent = percent }
    }
    guard keychain != nil else { return }
    guard board.battery.terminals(under: board.load, at: now) < SimulatedBattery.resetMillivolts
    else { return }
    publish(.brownOut)
    let ends = board.battery.sagEnds(after: now) ?? now
    cutPower(for: max(Self.shortestBrownOut, ends - now), .brownOut, at: now)
  }

  /// Boots, if the battery holds; else it is asked again when a sag ends or it is changed.
  func returnPower(at now: Instant) {
    let rest = board.battery.terminals(under: SimulatedBattery.Load(), at: now)
    guard rest >= SimulatedBattery.startMillivolts else {
      powerReturns = board.battery.sagEnds(after: now)
      return
    }
    plug.discardInput()
    boot(returnCause)
  }

  private func setBattery(
    _ percent: UInt8?, _ millivolts: UInt16?, _ drain: Int64?, at now: Instant
  ) throws(CommandRefusal) {
    guard percent ?? 0 <= 100 else { throw CommandRefusal("a battery has 0 to 100 per cent") }
    guard (0...SimulatedBattery.fastestDrain).contains(drain ?? 0) else {
      throw CommandRefusal("a battery drains by 0 to 360000 per cent an hour")
    }
    if let percent { board.battery.set(percent: percent, at: now) }
    if let millivolts { board.battery.set(millivolts: millivolts, at: now) }
    if let drain { board.battery.drain(percentPerHour: drain, at: now) }
    toldPercent = board.battery.percent(at: now)
    publish(.battery) { $0.percent = toldPercent }
    if keychain == nil && powerReturns == nil { powerReturns = now }
  }

  private func jumpClock(by interval: Interval, at now: Instant) throws(CommandRefusal) {
    guard interval <= Self.longestJump, .zero - interval <= Self.longestJump else {
      throw CommandRefusal("a clock jumps by an hour at most")
    }
    board.clock.jump(by: interval, at: now)
  }

  private func hear(
    _ source: GPSSource, storyAt elapsed: Interval, at now: Instant
  ) throws(CommandRefusal) {
    do throws(IOFailure) {
      board.gps = try GPSFeed(source, at: now)
    } catch {
      throw CommandRefusal(error.description)
    }
    _ = board.gps.setStoryClock(elapsed, now: now)
  }
}
