import FobBase
import SerialIO
import WireProtocol

/// The thread of one keychain, of whatever kind: what it shares with the others. The finger, the
/// battery, the GPS receiver and the plug are the same; what runs the firmware is not.
protocol KeychainLoop: AnyObject {
  var commandQueue: CommandQueue { get }
  var transport: any DeviceTransport { get }
  var faulty: FaultyLine { get }
  var button: SimulatedButton { get set }
  var battery: SimulatedBattery { get set }
  var gps: GPSFeed { get set }
  var finger: RandomFinger? { get set }
  var presses: PendingPresses { get set }
  var goals: PendingGoals { get set }
  /// The events acked last.
  var acked: [EventNumber] { get set }
  var isLinked: Bool { get set }
  var toldPercent: UInt8 { get set }
  /// When the power is back; nil while it is there, or where nobody knows.
  var powerReturns: Instant? { get set }
  /// What the firmware will be told when power returns.
  var returnCause: ResetCause { get }
  var isPowered: Bool { get }
  /// What is switched on.
  var load: SimulatedBattery.Load { get }
  var lightEdges: [LightEdge] { get }

  /// The first boot.
  func start() throws(IOFailure)
  /// Lets the firmware, where it has power, do what is due, and tells what came of it.
  func serveFirmware(at now: Instant)
  /// Waits until there is something to do. False if polling itself fails, which only a broken
  /// process does.
  func rest() -> Bool
  func boot(_ cause: ResetCause)
  func cutPower(for pause: Interval, _ cause: ResetCause, at now: Instant)
  /// The reset pin was pulled.
  func reset() throws(CommandRefusal)
  /// What only this kind of keychain can do, or why it cannot.
  func changeOwn(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal)
  func state(at now: Instant) -> EmulatorState
  /// What was known of the session of a host that nobody saw going.
  func forgetSession()
  /// Another host, or none.
  func hostHasChanged()
}

extension KeychainLoop {
  private static var maxAcked: Int { 1_024 }

  func run() {
    while commandQueue.isOpen, rest() { turn() }
    end()
  }

  /// Whoever still waits is told that nothing comes any more.
  func end() {
    commandQueue.close()
    presses.refuseAll(CommandQueue.stopped)
    goals.refuseAll(CommandQueue.stopped)
  }

  /// Once round: the host, the commands, the power, the firmware, and whoever waits for them.
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

  /// The board's end of `transport`. A tap hears the wire: what a fault has done to the bytes is
  /// done by then.
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
      // Refused while a finger that was asked for is on the button: that press is not made.
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
