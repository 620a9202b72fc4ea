import FobBase
import SerialIO
import WireProtocol

/// The loop of one keychain, simulated or in QEMU. Both kinds share the finger, the battery, the
/// GPS receiver and the device transport; they differ in what runs the firmware.
protocol KeychainLoop: AnyObject {
  var commandQueue: CommandQueue { get }
  var transport: any DeviceTransport { get }
  var faulty: FaultyLine { get }
  var button: SimulatedButton { get set }
  var battery: SimulatedBattery { get set }
  var hasBattery: Bool { get }
  var hasGPS: Bool { get }
  var gps: GPSFeed { get set }
  var finger: RandomFinger? { get set }
  var presses: PendingPresses { get set }
  var goals: PendingGoals { get set }
  /// The last 1,024 acked events.
  var acked: [EventNumber] { get set }
  var isLinked: Bool { get set }
  var toldPercent: UInt8 { get set }
  /// When the power returns; nil while there is power, or while that is unknown.
  var powerReturns: Instant? { get set }
  /// The reset cause that the firmware gets when power returns.
  var returnCause: ResetCause { get }
  var isPowered: Bool { get }
  /// The parts that draw current now.
  var load: SimulatedBattery.Load { get }
  var lightEdges: [LightEdge] { get }

  /// The first boot.
  func start() throws(IOFailure)
  /// Lets the firmware do what is due if it has power, and publishes the results.
  func serveFirmware(at now: Instant)
  /// Sleeps until there is something to do. False if poll(2) fails, which happens only in a broken
  /// process.
  func rest() -> Bool
  func boot(_ cause: ResetCause)
  func cutPower(for pause: Interval, _ cause: ResetCause, at now: Instant)
  /// Pulls the reset pin.
  func reset() throws(CommandRefusal)
  /// Carries out a command that only one kind of keychain knows, or refuses it.
  func changeOwn(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal)
  func state(at now: Instant) -> EmulatorState
  /// Forgets the session of a host whose leaving was not noticed.
  func forgetSession()
  /// A host has come or left.
  func hostHasChanged()
}

extension KeychainLoop {
  private static var maxAcked: Int { 1_024 }

  func run() {
    while commandQueue.isOpen, rest() { turn() }
    end()
  }

  /// Refuses all that wait for an answer.
  func end() {
    commandQueue.close()
    presses.refuseAll(CommandQueue.stopped)
    goals.refuseAll(CommandQueue.stopped)
  }

  /// One turn: looks at the host, carries out commands, returns power, serves the firmware, and
  /// answers those that wait.
  /// - Returns: whether there were commands.
  @discardableResult
  func turn() -> Bool {
    transport.board(isPowered: isPowered)
    lookAtHost()
    let orders = commandQueue.take()
    for order in orders { carryOut(order) }
    let now = BootClock.now()
    pressAtRandom(at: now)
    if let powerReturns, powerReturns <= now { returnPower(at: now) }
    serveFirmware(at: now)
    watchBattery(at: now)
    presses.expire(at: now, isPowered: isPowered)
    goals.settle(at: now, isReached)
    return !orders.isEmpty
  }

  /// The board's end of `transport`. A tap is on the wire's side: it shows the bytes after the
  /// faults towards the host, and before those towards the device.
  static func line(
    to transport: any DeviceTransport, _ configuration: EmulatorConfiguration,
    _ commandQueue: CommandQueue
  ) -> FaultyLine {
    let wire = BoardLine(read: transport.read, write: transport.write).tapped(
      by: commandQueue.tap, device: configuration.deviceID.text)
    return FaultyLine(wire, isHeard: { transport.hostIsPresent }, now: { BootClock.now() })
  }

  func publish(
    _ name: EmulatorEvent.Name, at instant: Instant = BootClock.now(),
    _ fill: (inout EmulatorEvent) -> Void = { _ in }
  ) {
    var event = EmulatorEvent(name, at: instant)
    fill(&event)
    commandQueue.feed.publish(event)
  }

  func publish(_ name: EmulatorEvent.Name, of number: EventNumber, at instant: Instant) {
    publish(name, at: instant) { event in
      event.event = number.text
      event.number = number.rawValue
    }
  }

  func tellAcked(_ number: EventNumber, at instant: Instant) {
    if acked.count == Self.maxAcked { acked.removeFirst() }
    acked.append(number)
    publish(.acked, of: number, at: instant)
  }

  func lookAtHost() {
    let wasPluggedIn = transport.isPluggedIn
    let wasPresent = transport.hostIsPresent
    transport.look()
    if wasPluggedIn, !transport.isPluggedIn { publish(.unplugged) }
    guard transport.hostIsPresent != wasPresent else { return }
    isLinked = false
    faulty.discard()
    hostHasChanged()
    publish(transport.hostIsPresent ? .hostOpened : .hostClosed)
  }

  func pressAtRandom(at now: Instant) {
    while let hold = finger?.take(upTo: now) {
      // Refused while a command holds the button: that press is not made.
      _ = try? button.press(hold: hold, at: now)
    }
  }

  func isReached(_ goal: EmulatorCommand.Goal) -> Bool {
    switch goal {
    case .ready: isPowered && transport.isPluggedIn
    case .linked: isLinked
    case .acked(let number): acked.contains(number)
    }
  }

  func hostHasChanged() {}
}

/// The battery's effects on a board.
extension KeychainLoop {
  /// The least time that the processor stays in reset.
  private static var minBrownOut: Interval { .milliseconds(50) }

  func changeBattery(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    guard hasBattery else { throw CommandRefusal("the keychain has no battery") }
    switch command {
    case .battery(let percent, let millivolts, let drain, let ohms):
      try setBattery(percent, millivolts, drain, ohms, at: now)
    case .sag(let millivolts, let interval):
      battery.sag(by: millivolts, for: interval, at: now)
    default: break
    }
  }

  /// Runs after each poll, since parts that the firmware has switched on draw current.
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

  /// Boots if the battery has at least 3.1 V; else it is looked at again when a sag ends or a
  /// command changes it.
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
    _ percent: UInt8?, _ millivolts: UInt16?, _ drain: Int64?, _ ohms: Int64?, at now: Instant
  ) throws(CommandRefusal) {
    guard percent ?? 0 <= 100 else { throw CommandRefusal("a battery has 0 to 100 per cent") }
    guard (0...SimulatedBattery.fastestDrain).contains(drain ?? 0) else {
      throw CommandRefusal("a battery drains by 0 to 360000 per cent an hour")
    }
    guard (0...SimulatedBattery.mostOhms).contains(ohms ?? 0) else {
      throw CommandRefusal("an empty battery has 0 to \(SimulatedBattery.mostOhms) ohms")
    }
    if let ohms { battery.emptyOhms = ohms }
    if let percent { battery.set(percent: percent, at: now) }
    if let millivolts { battery.set(millivolts: millivolts, at: now) }
    if let drain { battery.drain(percentPerHour: drain, at: now) }
    toldPercent = battery.percent(at: now)
    publish(.battery) { $0.percent = toldPercent }
    if !isPowered && powerReturns == nil { powerReturns = now }
  }
}

/// Commands to a keychain.
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
    guard hasGPS else { throw CommandRefusal("the keychain has no GPS receiver") }
    do throws(IOFailure) {
      gps = try GPSFeed(source, at: now)
    } catch {
      throw CommandRefusal(error.description)
    }
    _ = gps.setStoryClock(elapsed, now: now)
  }
}
