import FobBase
import SerialIO
import WireProtocol

/// The events of a board in QEMU, from the bytes on its line and from its light.
extension QEMULoop {
  var lightEdges: [LightEdge] { light.edges() }

  func forgetSession() { isLinked = false }

  func hostHasChanged() { relay.discard() }

  func heard(fromBoard bytes: UnsafeRawBufferPointer) {
    observer.sent(bytes) { learn($0, at: BootClock.now()) }
  }

  func heard(fromHost bytes: UnsafeRawBufferPointer) {
    observer.received(bytes) { learn($0, at: BootClock.now()) }
  }

  func tellLight(of board: any QEMUBoard) throws(IOFailure) {
    for edge in try board.takeLight() { light.set(edge.isOn, at: edge.at) }
    tellLightEdges()
  }

  func tellLightEdges() {
    for edge in light.edges(from: nextLight) {
      publish(.light, at: edge.at) { $0.led = edge.isOn }
    }
    nextLight = light.next
  }

  private func learn(_ fact: WireObserver.Fact, at now: Instant) {
    switch fact {
    case .linked(let hello):
      events.noteBoot(hello.bootCounter)
      guard transport.hostIsPresent, !isLinked else { return }
      isLinked = true
      publish(.linked)
    case .event(let record): if events.note(record) { tell(record, at: now) }
    case .acked(let ack): if let number = events.note(ack) { tellAcked(number, at: now) }
    case .shown(let state):
      shown = state
      publish(.shown, at: now) { event in
        event.shown = state.shown.map { "\($0)" }
        event.detail = state.detail
        event.sounder = state.sounder
      }
    case .heartbeat(let new): heartbeat = new
    case .position(let fix): position = fix
    case .damaged: publish(.damagedFrame)
    }
  }

  private func tell(_ record: EventRecord, at now: Instant) {
    let number = record.identity.number
    let kind = record.identity.kind
    if kind == .booted {
      publish(.booted, at: now) { event in
        event.boot = number.boot
        event.cause = ResetCause(rawValue: record.detail).map { "\($0)" }
      }
    }
    publish(.committed, at: now) { event in
      event.event = number.text
      event.number = number.rawValue
      event.kind = kind.map { "\($0)" }
    }
    publish(.written, of: number, at: now)
    if kind == .fault, record.detail == FaultCode.storeFailed.rawValue { publish(.storeFailed) }
    guard kind == .pressed else { return }
    // Counted back from now: the board's clock loses ticks while the host is busy, and this path is
    // the shorter.
    presses.committed(number, firstEdge: now - .microseconds(Int64(record.commitDelta)))
  }

  func state(at now: Instant) -> EmulatorState {
    var state = EmulatorState(
      device: configuration.deviceID.text, link: transport.link, pty: transport.devicePath,
      plugged: transport.isPluggedIn, powered: isPowered, host: transport.hostIsPresent,
      linked: isLinked, shown: (shown?.shown ?? heartbeat?.shown).map { "\($0)" },
      detail: shown?.detail ?? 0, led: light.isOn, sounder: shown?.sounder ?? false,
      held: button.isHeld || button.isClosed, battery: battery.percent(at: now),
      millivolts: battery.terminals(under: load, at: now), drain: battery.drainPerHour, drift: 0,
      receiver: gps.source.text, chatter: button.chatters, stuck: button.isStuck)
    state.setFaults(of: faulty)
    state.usb = transport.usbState
    guard isPowered else { return state }
    state.unacked = heartbeat.map { max(Int($0.unacked), events.unackedCount) }
    state.boot = events.boot
    state.gps = "\(position?.quality ?? .none)"
    guard let position, position.latitude != 0 || position.longitude != 0 else { return state }
    state.latitude = position.latitude
    state.longitude = position.longitude
    return state
  }
}
