import Firmware
import FobBase
import SerialIO
import WireProtocol

/// What others ask of a simulated board alone.
extension EmulatorLoop {
  private static let maxJump = Interval.seconds(3_600)

  var button: SimulatedButton {
    get { board.button }
    set { board.button = newValue }
  }

  var battery: SimulatedBattery {
    get { board.battery }
    set { board.battery = newValue }
  }

  var gps: GPSFeed {
    get { board.gps }
    set { board.gps = newValue }
  }

  var isPowered: Bool { keychain != nil }

  var load: SimulatedBattery.Load { board.load }

  var lightEdges: [LightEdge] { board.light.edges() }

  func reset() throws(CommandRefusal) {
    guard keychain != nil else { throw CommandRefusal("the keychain has no power") }
    publish(.reset)
    boot(.resetPin)
  }

  func forgetSession() { session = 0 }

  func changeOwn(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    switch command {
    case .failStore(let fails): store.fails = fails
    case .clockDrift(let ppm):
      let most = BoardClock.maxDrift
      guard (-most...most).contains(ppm) else {
        throw CommandRefusal("a clock drifts by \(most) parts per million at most")
      }
      board.clock.setDrift(ppm, at: now)
    case .clockJump(let interval):
      guard interval <= Self.maxJump, .zero - interval <= Self.maxJump else {
        throw CommandRefusal("a clock jumps by an hour at most")
      }
      board.clock.jump(by: interval, at: now)
    default: break
    }
  }

  func state(at now: Instant) -> EmulatorState {
    var state = EmulatorState(
      device: board.deviceID.text, link: transport.link, pty: transport.devicePath,
      plugged: transport.isPluggedIn, powered: keychain != nil, host: transport.hostIsPresent,
      linked: isLinked, shown: shown.map { "\($0)" }, detail: shownDetail,
      led: board.light.isOn, sounder: board.sounder,
      held: board.button.isHeld || board.button.isClosed,
      battery: board.battery.percent(at: now), millivolts: board.batteryMillivolts(),
      drain: board.battery.drainPerHour, drift: board.clock.driftPPM,
      receiver: board.gps.source.text, chatter: board.button.chatters,
      stuck: board.button.isStuck)
    state.setFaults(of: faulty)
    state.usb = transport.usbState
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
