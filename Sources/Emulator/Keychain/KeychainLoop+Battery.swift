import FobBase
import WireProtocol

/// What a battery does to a board.
extension KeychainLoop {
  /// The processor stays in reset for at least so long.
  private static var minBrownOut: Interval { .milliseconds(50) }

  func changeBattery(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    switch command {
    case .battery(let percent, let millivolts, let drain):
      try setBattery(percent, millivolts, drain, at: now)
    case .sag(let millivolts, let interval):
      battery.sag(by: millivolts, for: interval, at: now)
    default: break
    }
  }

  /// After each poll, since what the firmware has switched on draws current.
  func watchBattery(at now: Instant) {
    let percent = battery.watchedPercent(at: now)
    if percent != toldPercent {
      toldPercent = percent
      publish(.battery) { $0.percent = percent }
    }
    guard isPowered else { return }
    guard battery.terminals(under: load, at: now) < SimulatedBattery.resetMillivolts else {
      return
    }
    publish(.brownOut, at: now)
    let ends = battery.sagEnds(after: now) ?? now
    cutPower(for: max(Self.minBrownOut, ends - now), .brownOut, at: now)
  }

  /// Boots, if the battery holds; else it is asked again when a sag ends or it is changed.
  func returnPower(at now: Instant) {
    let rest = battery.terminals(under: SimulatedBattery.Load(), at: now)
    guard rest >= SimulatedBattery.startMillivolts else {
      powerReturns = battery.sagEnds(after: now)
      return
    }
    transport.discardInput()
    boot(returnCause)
  }

  private func setBattery(
    _ percent: UInt8?, _ millivolts: UInt16?, _ drain: Int64?, at now: Instant
  ) throws(CommandRefusal) {
    guard percent ?? 0 <= 100 else { throw CommandRefusal("a battery has 0 to 100 per cent") }
    guard (0...SimulatedBattery.fastestDrain).contains(drain ?? 0) else {
      throw CommandRefusal("a battery drains by 0 to 360000 per cent an hour")
    }
    if let percent { battery.set(percent: percent, at: now) }
    if let millivolts { battery.set(millivolts: millivolts, at: now) }
    if let drain { battery.drain(percentPerHour: drain, at: now) }
    toldPercent = battery.percent(at: now)
    publish(.battery) { $0.percent = toldPercent }
    if !isPowered && powerReturns == nil { powerReturns = now }
  }
}
