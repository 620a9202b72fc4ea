public import AlertCore
public import FobBase
import Foundation
import SerialIO
import Sinks
import Storage
import Synchronization

/// Commands of people about an alarm, and changes of their account. The PIN is checked here, slowly
/// and outside the core's lock.
extension AlertBridge {
  /// Disarms if the PIN is right (R38).
  /// - Parameters:
  ///   - text: the PIN as it was typed.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed: wrong PINs make each source wait (G16).
  ///   - answer: called once, as in `perform`; with a refusal if the PIN is wrong or must wait.
  public func disarm(
    pin text: String, by who: String = "", source: PINSource = .here,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    if let refused = check(text, by: who, from: source) {
      refuse(refused, by: who, answer: answer)
    } else {
      perform(.disarm, by: who, answer: answer)
    }
  }

  private func refuse(
    _ refused: PINRefusal, by who: String, answer: @escaping @Sendable (Answer) -> Void
  ) {
    // Attempts of who must wait are not logged: the one that made them wait was, and whoever comes
    // without a token could fill the disk.
    if refused == .blocked {
      let state = runner.read { core, _ in core.state }
      return answer(Answer(state: state, refusal: .pinBlocked, isDurable: true))
    }
    logRefused(refused, by: who, answer: answer)
  }

  private func logRefused(
    _ refused: PINRefusal, by who: String, answer: @escaping @Sendable (Answer) -> Void
  ) {
    runner.ask({ .pinRefused($0, refused, by: who) }, answer: answer)
  }

  /// Changes the account.
  /// - Parameters:
  ///   - asked: refused where it needs the PIN and `text` is nil.
  ///   - text: the PIN as it was typed; nil if the request had none.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed, as in `disarm`.
  ///   - answer: called once, as in `perform`.
  public func change(
    _ asked: AccountChange, pin text: String?, by who: String = "", source: PINSource = .here,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    let change: AccountChange
    do throws(UserCommand.Refusal) {
      change = try begin(asked)
    } catch {
      let state = runner.read { core, _ in core.state }
      return answer(Answer(state: state, refusal: error, isDurable: true))
    }
    let paired = pairings(leftBy: change)
    let finish: @Sendable (Answer) -> Void = { [weak self] done in
      if done.refusal == nil {
        self?.accountChanged()
        self?.endPairings(of: paired, by: who)
      }
      self?.end(change)
      answer(done)
    }
    perform(.change(change, isProven: text != nil), pin: text, by: who, source, finish)
  }

  /// Carries out a command about check-ins.
  /// - Parameters:
  ///   - command: refused where it needs the PIN and `text` is nil.
  ///   - text: the PIN as it was typed; nil if the request had none.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed, as in `disarm`.
  ///   - answer: called once, as in `perform`.
  public func checkIn(
    _ command: CheckInCommand, pin text: String?, by who: String = "", source: PINSource = .here,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    perform(.checkIn(command, isProven: text != nil), pin: text, by: who, source, answer)
  }

  /// As `checkIn`, of a command about the five messages.
  public func message(
    _ command: MessageCommand, pin text: String?, by who: String = "", source: PINSource = .here,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    perform(.message(command, isProven: text != nil), pin: text, by: who, source, answer)
  }

  /// As `checkIn`, of a command about reviews.
  public func review(
    _ command: ReviewCommand, pin text: String?, by who: String = "", source: PINSource = .here,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    perform(.review(command, isProven: text != nil), pin: text, by: who, source, answer)
  }

  /// Carries out a command if the PIN that came with it is right, or none came.
  private func perform(
    _ command: UserCommand, pin text: String?, by who: String, _ source: PINSource,
    _ answer: @escaping @Sendable (Answer) -> Void
  ) {
    if let text, account.hasPIN, let refused = check(text, by: who, from: source) {
      return refuse(refused, by: who, answer: answer)
    }
    perform(command, by: who, answer: answer)
  }

  /// Says whether what is private to the owner may be shown: no PIN is asked for, or it is right.
  /// - Parameters:
  ///   - text: the PIN as it was typed; nil if the request had none.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed, as in `disarm`.
  ///   - answer: called once, as in `perform`.
  public func prove(
    pin text: String?, by who: String = "", source: PINSource = .here,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    if let text, account.hasPIN, let refused = check(text, by: who, from: source) {
      return refuse(refused, by: who, answer: answer)
    }
    let isNeeded = text == nil && account.asksForPIN
    let state = runner.read { core, _ in core.state }
    answer(Answer(state: state, refusal: isNeeded ? .pinNeeded : nil, isDurable: true))
  }

  /// How long this source must wait before it may try a PIN; nil if it may try now.
  public func pinWait(for source: PINSource) -> Interval? {
    pins.withLock { $0.wait(source, at: process.clock.now()) }
  }

  /// Refreshes the whole status (R28): waits until each linked keychain has been heard again, 3.5 s
  /// at most. A keychain that is silent for three seconds is no longer linked.
  public func refreshedStatus() async -> CoreStatus {
    let asked = process.clock.now()
    let latest = asked + .milliseconds(3_500)
    while process.clock.now() < latest, !Task.isCancelled,
      status.links.contains(where: { $0.heardAt.at <= asked })
    {
      try? await Task.sleep(for: .milliseconds(50))
    }
    // A person who has handled the damage has removed its note.
    if case .success(let damage) = Result(catching: { try store.damage() }) {
      handle(.damage(damage))
    }
    handle(.refreshed)
    return status
  }

  /// Mails a new PIN (R10); the old one stays valid until the new one is first used. It blocks
  /// until the PIN is durable and the mail system has it, so do not call it on a thread that serves
  /// others.
  public func forgotPIN(
    by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    let refusal = mailNewPIN(by: who)
    answer(Answer(state: status.state, refusal: refusal, isDurable: true))
  }

  private func mailNewPIN(by who: String) -> UserCommand.Refusal? {
    let account = account
    guard account.exists else { return .noAccount }
    guard let mail else { return .notSent("no notification channel for mail is configured") }
    guard pinMails.withLock({ $0.take(at: process.clock.now()) }) else { return .tooOften }
    let pin = PIN.random()
    let isDone = DispatchSemaphore(value: 0)
    let offered = Mutex<Answer?>(nil)
    perform(.change(.offerPIN(hash: pin.hash()), isProven: false), by: who) { answer in
      offered.withLock { $0 = answer }
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .seconds(10))
    guard let answer = offered.withLock({ $0 }) else {
      return .notSent("the store does not answer")
    }
    if let refusal = answer.refusal { return refusal }
    // A crash must not forget a PIN that was mailed.
    guard answer.isDurable else { return .notSent("the new PIN could not be stored") }
    do {
      try mail(
        account.email, "Your new SafeTime PIN",
        "Your new PIN is \(pin). Your old PIN goes on working until you first use the new one.",
        "pin-\(UInt64.random(in: .min ... .max))")
      return nil
    } catch {
      return .notSent("\(error)")
    }
  }

  /// - Returns: nil if the PIN is right.
  private func check(_ text: String, by who: String, from source: PINSource) -> PINRefusal? {
    guard pins.withLock({ $0.begin(source, at: process.clock.now()) }) == nil else {
      return .blocked
    }
    let account = account
    if let pin = PIN(text) {
      if pin.matches(account.pinHash ?? "") {
        pins.withLock { $0.wasRight(source) }
        return nil
      }
      if pin.matches(account.offeredPINHash ?? "") {
        pins.withLock { $0.wasRight(source) }
        perform(.change(.adoptPIN, isProven: true), by: who) { _ in }
        return nil
      }
    }
    // One log entry says that too many PINs were tried.
    if pins.withLock({ $0.wait(source, at: process.clock.now()) }) != nil {
      logRefused(.blocked, by: who) { _ in }
    }
    return .wrong
  }

  func accountChanged() {
    process.learnDevices(of: self)
    runner.renewZone()
    tellWays()
    moveOpenPresses()
  }
}
