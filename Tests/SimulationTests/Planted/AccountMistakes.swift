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
  /// Each host begins with it.
  private var first: Account?
  /// To be given back after the step.
  private var account: Account?
  private var triggers: [Int: Set<String>] = [:]

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  mutating func recovers(_ stored: inout StoredState, _ account: inout Account) {
    let before = first ?? account
    first = before
    switch mistake {
    case .accountForgotten: account = before
    case .triggersForgotten: stored.triggers = []
    default: break
    }
  }

  mutating func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool {
    guard let run = host.run else { return true }
    switch input {
    case .event(_, let record, _): return hears(record.identity, run)
    case .verb(let request, let verb, let who):
      hears(verb, run)
      let replaced = replaced(verb, run, host)
      if let replaced { input = .verb(request, replaced, by: who) }
    default: break
    }
    return true
  }

  private mutating func hears(_ event: EventIdentity, _ run: HostRun) -> Bool {
    let isOwn = run.core.engine.owns(event.deviceID)
    let open = run.core.engine.open
    switch mistake {
    case .nobodysPressRaises where !isOwn:
      show(run) {
        $0.devices = nil
        $0.isLoggedIn = true
      }
    case .nobodysPressDropped: return isOwn || event.kind != .pressed
    case .ownersPressJoinsNobodys where open?.belongsToNobody == true,
      .pressWaitsInCountdown where open?.countdownEnds != nil:
      show(run) { $0.isLoggedIn = false }
    default: break
    }
    return true
  }

  private mutating func hears(_ verb: Verb, _ run: HostRun) {
    guard case .change(let change, _) = verb else { return }
    switch (mistake, change) {
    case (.claimForgetsPress, .claim) where run.core.engine.open?.belongsToNobody == true,
      (.logOutForgetsIncident, .logOut):
      run.core.engine.open = nil
    case (.changedInAlarm, _): run.core.engine.open?.belongsToNobody = true
    default: break
    }
  }

  /// What is done in place of what was asked for.
  private mutating func replaced(_ verb: Verb, _ run: HostRun, _ host: SimulatedHost) -> Verb? {
    switch (mistake, verb) {
    case (.disarmEndsNobodys, .disarm) where run.core.engine.open?.belongsToNobody == true:
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
    guard mistake == .newContactUntold, let first else { return }
    output.deliveries.removeAll { message in
      !first.contacts.contains { $0.id == message.contact.id }
    }
  }
}
