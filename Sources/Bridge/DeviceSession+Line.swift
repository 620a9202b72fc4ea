import AlertCore
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// The device's line: it opens, it goes, and watchers are told.
extension DeviceSession {
  func woken(at now: Instant) {
    turn(at: now) { $0.wake(at: now) }
    let held = state.withLock { $0.voice.takeHeld(at: now) }
    for event in held { devices.events.tell(event) }
    turned.add(1, ordering: .relaxed)
  }

  var nextWake: Instant? {
    state.withLock { .earlier($0.host.nextWake, $0.voice.due) }
  }

  func stop() { line?.stop() }

  private var line: (any HostLine)? { state.withLock { $0.line } }

  var isOpen: Bool { state.withLock { $0.host.state != nil } }
  var turns: UInt64 { turned.load(ordering: .relaxed) }

  /// Asks the reader of an open line to take a turn soon.
  /// - Returns: the number of turns so far; nil if there is no reader.
  func askForTurn() -> UInt64? {
    guard isOpen, let line else { return nil }
    defer { line.wake() }
    return turns
  }

  /// The keychain that was heard since the line opened.
  var device: DeviceID? { state.withLock { $0.host.device } }

  /// The line as it is now.
  var place: LineState {
    state.withLock { state in
      LineState(
        spec: spec, device: state.host.device?.text, isOpen: state.host.state != nil,
        obstacle: state.obstacle)
    }
  }

  func opened(at now: Instant) {
    let indication = owner.core.shown(on: id)
    state.withLock { state in
      state.obstacle = nil
      state.host.opened(
        session: UInt32.random(in: 1...UInt32.max), nonce: UInt64.random(in: 0...UInt64.max),
        indication: indication, at: now)
    }
  }

  func gone(_ reason: GoneReason) {
    let text = "\(reason)"
    state.withLock { $0.obstacle = text }
    turn(at: BootClock.now()) { $0.gone(reason: text) }
  }

  func notice(
    _ level: BridgeEvent.Notice.Level, _ text: String, _ matter: LineThrottle.Matter
  ) {
    let told = state.withLock {
      $0.voice.take(.notice(level, text), matter, at: BootClock.now())
    }
    if let told { devices.events.tell(told) }
  }

  func unavailable(_ failure: IOFailure) {
    state.withLock { $0.obstacle = "\(failure)" }
    notice(.warning, failure.whileRetrying, .closing)
    owner.core.handle(.unavailable(id, reason: "\(failure)"))
  }

  // MARK: Telling, at a pace

  func paced(
    _ event: LinkEvent, at now: Instant, _ state: inout State
  ) -> BridgeEvent? {
    guard let (news, matter) = event.told(of: spec, state.host.device, devices.stages) else {
      return nil
    }
    return state.voice.take(news, matter, at: now)
  }
}
