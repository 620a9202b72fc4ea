import AlertCore
import Bridge
import Emulator
import FobBase
import Glibc
import SerialIO
import Synchronization
import WireProtocol

/// Press, alarm, durable, light, PIN, all clear: each step waits for what it promises and fails
/// when that does not come.
final class Demo: Sendable {
  private let coreService: CoreService
  private let keychain: EmulatedKeychain
  private let pin: PIN
  private let timeline: Timeline
  private let hold: Interval
  private let seen: Seen

  /// Everything that was told so far; the core service may go on telling when the demo is over.
  private final class Seen: Sendable {
    let events = Mutex<[BridgeEvent]>([])
    let signal: EventSignal

    init() throws(IOFailure) { signal = try EventSignal() }

    func add(_ event: BridgeEvent) {
      events.withLock { $0.append(event) }
      signal.signal()
    }
  }

  /// How long each step may take: ten times and more of what it takes.
  private static let patience = Interval.seconds(20)

  init(
    coreService: CoreService, keychain: EmulatedKeychain, pin: PIN, timeline: Timeline,
    holding hold: Interval = EmulatorCommand.defaultHold
  ) throws(IOFailure) {
    self.hold = hold
    self.coreService = coreService
    self.keychain = keychain
    self.pin = pin
    self.timeline = timeline
    let seen = try Seen()
    self.seen = seen
    coreService.watch { seen.add($0) }
  }

  func play(until termination: borrowing Termination) throws(Failure) {
    do throws(Interrupted) {
      try steps(termination)
    } catch {
      if let failure = error.failure { throw failure }
      timeline.say("demo", "interrupted")
    }
  }

  private func steps(_ stop: borrowing Termination) throws(Interrupted) {
    try expect("the keychain to be linked and shown as idle", stop) { $0.isLit("idle") }
    if keychain.configuration.gps != .none {
      try expect("a position", stop) { $0.isLocated }
    }
    let account = try owner(stop)
    let contacts = account.account.contacts.count
    timeline.say("demo", "the button is pressed", .strong)
    let press = try press()
    try expect("the press \(press) to be durable", stop) {
      $0.logged?.event.name == .committed && $0.logged?.event.event == press
    }
    try expect("each contact to be told", stop, times: contacts) {
      $0.isHappening(.delivered, of: account)
    }
    try expect("the light to say accepted", stop) { $0.isLit("accepted") }
    let stages = try expect("the stages of the press", stop) {
      if case .stages(let stages) = $0, stages.event == press { stages.lit != nil } else { false }
    }
    timeline.say("demo", "the PIN is entered", .strong)
    try disarm(account)
    try expect("each contact to be told that it is over", stop, times: 2 * contacts) {
      $0.isHappening(.delivered, of: account)
    }
    try expect("the light to say ended", stop) { $0.isLit("ended") }
    let idle = seen.events.withLock { $0.count { $0.isLit("idle") } }
    account.perform(.resume) { _ in }
    try expect("protection to be resumed", stop) { $0.isHappening(.resumed, of: account) }
    try expect("the light to be idle again", stop, times: idle + 1) { $0.isLit("idle") }
    timeline.say("demo", "all clear", .good)
    if case .stages(let stages)? = stages, !timeline.isJSON {
      for line in StageTable(stages: stages).lines { Terminal.line(line) }
    }
  }

  /// The account whose alarm it will be.
  private func owner(_ stop: borrowing Termination) throws(Interrupted) -> AlertBridge {
    do throws(Failure) {
      try coreService.awaitOwner(until: stop)
    } catch {
      throw Interrupted(error)
    }
    return coreService.shown
  }

  private func press() throws(Interrupted) -> String {
    do throws(CommandRefusal) {
      guard case .event(let number) = try keychain.perform(.press(hold: hold)) else {
        throw CommandRefusal("it got no number")
      }
      return number.text
    } catch {
      throw Interrupted(Failure(.expectationMissed, "the press failed: \(error)"))
    }
  }

  private func disarm(_ account: AlertBridge) throws(Interrupted) {
    let answer: Answer?
    do throws(IOFailure) {
      let gate = try OneShot<Answer>()
      account.disarm(pin: pin.description) { gate.open(with: $0) }
      answer = try gate.pass(until: BootClock.now() + Self.patience)
    } catch {
      throw Interrupted(Failure(.ioError, "\(error)"))
    }
    guard let answer, answer.refusal == nil, answer.isDurable else {
      throw Interrupted(Failure(.expectationMissed, "the PIN did not end the alarm durably"))
    }
  }

  /// Waits until `times` events fit, counted from the beginning.
  /// - Returns: the last of them.
  @discardableResult
  private func expect(
    _ what: String, _ stop: borrowing Termination, times: Int = 1,
    _ fits: (BridgeEvent) -> Bool
  ) throws(Interrupted) -> BridgeEvent? {
    let deadline = BootClock.now() + Self.patience
    while true {
      seen.signal.clear()
      let found = seen.events.withLock { $0.filter(fits) }
      if found.count >= times { return found.last }
      guard BootClock.now() < deadline else {
        throw Interrupted(
          Failure(.expectationMissed, "the demo waited 20 s for \(what), in vain"))
      }
      if stop.wait(until: BootClock.now()) { throw Interrupted(nil) }
      try? Syscall.awaitEither(seen.signal.descriptor, stop.descriptor, until: deadline)
    }
  }

  /// The demo ended early: by a signal, or because a promise was not kept.
  private struct Interrupted: Error {
    let failure: Failure?

    init(_ failure: Failure?) { self.failure = failure }
  }
}

extension BridgeEvent {
  fileprivate func isHappening(_ name: AuditEvent.Name, of account: AlertBridge) -> Bool {
    logged.map { $0.event.name == name && $0.account == account.number } ?? false
  }

  fileprivate func isLit(_ name: String) -> Bool {
    guard case .led(_, let led) = self else { return false }
    return led.shown.map { "\($0)" } == name
  }

  fileprivate var isLocated: Bool {
    if case .located = self { true } else { false }
  }
}
