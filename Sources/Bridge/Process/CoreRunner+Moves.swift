import AlertCore
import FobBase
import SerialIO
import Storage
import Synchronization
import WireProtocol

/// Open presses go from the account that has heard them to the one that has claimed their keychain,
/// or to the first, which hears all that nobody has claimed.
extension CoreRunner {
  /// Hands one input to this account's core, and the other side of the move to the holder's: no
  /// press and no command comes between. Each side is decided as the other says.
  /// - Parameters:
  ///   - holder: the account that has the presses in its open incident.
  ///   - input: makes this account's input; nil where no press of the keychain is to be moved:
  ///     none is where nobody here could be told and people there are.
  func move(
    _ device: DeviceID, from holder: CoreRunner,
    _ input: (MovedPresses?, borrowing AlertCore) -> CoreInput?
  ) {
    let move = process.nextMove()
    var hasLeft = false
    let (isOurs, isHolders) = withMachines(and: holder) { machines, holding in
      guard !machines.isClosed else { return (false, false) }
      let (presses, stays) = holding.core.openPresses(of: device, for: move, to: machines.core)
      if holder.store.number == .first { hasLeft = process.stays(device, stays) && !stays }
      guard let input = input(presses, machines.core) else { return (false, false) }
      let now = timestamp()
      let isOurs = machines.step(input, at: now)
      guard machines.core.isMoving(move) else { return (isOurs, false) }
      return (isOurs, holding.step(.movedAway(device, move), at: now))
    }
    if isOurs { performAll() }
    if isHolders { holder.performAll() }
    if hasLeft { process.devices.renewOwners(of: [device]) }
    if waiting.load(ordering: .acquiring) > 0 || holder.waiting.load(ordering: .acquiring) > 0 {
      process.steps.signal()
    }
  }

  /// Two threads that each move presses between two accounts lock these in the same order.
  private func withMachines<R: Sendable>(
    and holder: CoreRunner, _ body: (inout Machines, inout Machines) -> R
  ) -> R {
    if holder.store.number < store.number {
      return holder.machines.withLock { holding in machines.withLock { body(&$0, &holding) } }
    }
    return machines.withLock { machines in holder.machines.withLock { body(&machines, &$0) } }
  }

  /// Claims a keychain whose presses this account has heard while it was nobody's.
  func claim(_ device: DeviceID, _ input: (MovedPresses?) -> CoreInput) {
    let isOurs = machines.withLock { machines in
      guard !machines.isClosed else { return false }
      return machines.step(input(machines.core.unclaimedPresses(of: device)), at: timestamp())
    }
    if isOurs { performAll() }
    if waiting.load(ordering: .acquiring) > 0 { process.steps.signal() }
  }
}

extension CoreProcess {
  /// Claims a keychain for an account, and moves its open presses there with the claim.
  /// - Parameter input: makes the claim out of the presses.
  func claim(
    _ device: DeviceID, for runner: CoreRunner, _ input: (MovedPresses?) -> CoreInput
  ) {
    guard let holder = self[.first]?.runner, holder !== runner else {
      return runner.claim(device, input)
    }
    runner.move(device, from: holder) { presses, core in
      input(presses ?? core.unclaimedPresses(of: device))
    }
  }

  /// Moves all presses that are open in these accounts and whose keychains are another's.
  func moveOpenPresses(of holders: [AlertBridge]) {
    guard hasSeveralAccounts, isStarted, let first = self[.first]?.runner else { return }
    for holder in holders.map(\.runner) {
      for device in holder.read({ core, _ in core.keychainsWithOpenPresses }) {
        guard let number = heir(of: device) else { continue }
        let heir = self[number]?.runner ?? first
        guard heir !== holder else { continue }
        heir.move(device, from: holder) { presses, _ in presses.map { .movedHere($0) } }
      }
    }
  }

  /// A press of a keychain that has been claimed, or given up, may still have been on its way to
  /// the account before.
  func moveOpenPresses(of account: AccountNumber, after event: AuditEvent) {
    guard hasSeveralAccounts, let device = event.device.flatMap({ DeviceID(text: $0) }),
      heir(of: device) != account, let holder = self[account]
    else { return }
    moveOpenPresses(of: [holder])
  }
}

extension AlertBridge {
  /// Presses that have become this account's are moved here, and others away.
  func moveOpenPresses() {
    process.moveOpenPresses(of: [self, process[.first]].compactMap(\.self))
  }
}
