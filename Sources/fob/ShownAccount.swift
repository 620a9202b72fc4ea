import AlertCore
import Bridge
import FobBase
import SerialIO

/// Which account a person at this process sees and answers for.
extension CoreService {
  /// That of the process's keychain, whoever has claimed it or was given it meanwhile; the first
  /// where the process has no keychain.
  var shown: AlertBridge { keychain.map { bridge.account(withKeychain: $0) } ?? bridge }

  /// At the start: the alarms of an earlier run, of whichever account.
  func sayOpenAlarms(_ timeline: Timeline) {
    for account in bridge.accounts {
      let state = account.state
      guard state.isOpen else { continue }
      timeline.of(account.number).say(
        "alarm", "an alarm of an earlier run is still open: \(state.rawValue)", .bad)
    }
  }

  /// Waits until the keychain has the owner of its own that `--owners each` gives it when it is
  /// linked; at once where that was not asked for, and where a signal ends the process.
  /// - Throws: `Failure` where it gets none in time.
  func awaitOwner(until termination: borrowing Termination) throws(Failure) {
    guard owners == .each, keychain != nil else { return }
    let deadline = BootClock.now() + .seconds(20)
    while shown === bridge {
      guard BootClock.now() < deadline else {
        throw Failure(.expectationMissed, "the keychain got no owner of its own within 20 s")
      }
      if termination.wait(until: BootClock.now() + .milliseconds(5)) { return }
    }
  }
}

extension BridgeEvent {
  /// What an account has logged, and which; nil for what is of a line.
  var logged: (event: AuditEvent, account: AccountNumber)? {
    switch self {
    case .auditEvent(let event): (event, .first)
    case .otherAuditEvent(let event, let account): (event, account)
    case .notice, .stages, .led, .located: nil
    }
  }
}
