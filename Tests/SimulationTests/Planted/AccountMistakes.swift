import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Mistakes about whose keychain it is, who is told, and what programs raise.
///
/// Most show the core another account than it has, for one step: what it does then is what a rule
/// that did not ask the account would have done.
struct AccountMistakes {
  private let mistake: PlantedMistake
  /// To be given back after the step.
  private var account: Account?
  private var triggers: [Int: Set<String>] = [:]

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  func recovers(_ stored: inout StoredState, _ account: inout Account, _ host: SimulatedHost) {
    switch mistake {
    case .accountForgotten: account = host.firstAccount
    case .triggersForgotten: stored.triggers = []
    default: break
    }
  }

  mutating func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool {
    guard let run = host.run else { return true }
    switch input {
    case .event(_, let record, _): return hears(record.identity, run)
    case .userCommand(let request, let userCommand, let who):
      hears(userCommand, run)
      let replaced = replaced(userCommand, run, host)
      if let replaced { input = .userCommand(request, replaced, by: who) }
    default: break
    }
    return true
  }

  private mutating func hears(_ event: EventIdentity, _ run: HostRun) -> Bool {
    let isOwn = run.core.engine.owns(event.deviceID)
    let open = run.core.engine.open
    switch mistake {
    case .unclaimedPressRaises where !isOwn:
      show(run) {
        $0.devices = nil
        $0.isLoggedIn = true
      }
    case .unclaimedPressDropped: return isOwn || event.kind != .pressed
    case .ownersPressJoinsUnclaimed where open?.isUnclaimed == true,
      .pressWaitsInCountdown where open?.countdownEnds != nil:
      show(run) { $0.isLoggedIn = false }
    default: break
    }
    return true
  }

  private mutating func hears(_ userCommand: UserCommand, _ run: HostRun) {
    guard case .change(let change, _) = userCommand else { return }
    switch (mistake, change) {
    case (.claimForgetsPress, .claim) where run.core.engine.open?.isUnclaimed == true,
      (.logOutForgetsIncident, .logOut):
      run.core.engine.open = nil
    case (.changedInAlarm, _): run.core.engine.open?.isUnclaimed = true
    default: break
    }
  }

  /// What is done in place of what was asked for.
  private mutating func replaced(_ userCommand: UserCommand, _ run: HostRun, _ host: SimulatedHost)
    -> UserCommand?
  {
    switch (mistake, userCommand) {
    case (.disarmEndsUnclaimed, .disarm) where run.core.engine.open?.isUnclaimed == true:
      return .endUnowned
    case (.triggerDoubled, .trigger(let trigger)):
      let isNew = triggers[host.index, default: []].insert(trigger.key).inserted
      guard !isNew else { return nil }
      return .trigger(
        Trigger(source: trigger.source, device: trigger.device, key: trigger.key + " again"))
    case (.triggerLost, .trigger) where run.core.hasUncommitted: return .survey(Survey())
    default: return nil
    }
  }

  private mutating func show(_ run: HostRun, _ change: (inout Account) -> Void) {
    account = run.core.account
    var shown = run.core.account
    change(&shown)
    run.core.engine.set(shown)
  }

  mutating func decided(_ output: inout CoreOutput, _ host: SimulatedHost) {
    if let account { host.run?.core.engine.set(account) }
    account = nil
    guard mistake == .newContactUntold else { return }
    output.deliveries.removeAll { message in
      !host.firstAccount.contacts.contains { $0.id == message.contact.id }
    }
  }
}
