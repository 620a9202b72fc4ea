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
  /// press and no command comes between. Each side is decided as the other says. Of two threads
  /// that each hold an account's lock here, none waits for the other's: they share the first
  /// account alone (`MovesUnderWay`).
  /// - Parameters:
  ///   - holder: the account that has the presses in its open incident.
  ///   - input: makes this account's input; nil where no press of the keychain is to be moved:
  ///     none is where nobody here could be told and people there are.
  /// - Returns: false where nothing moves.
  func move(
    _ device: DeviceID, from holder: CoreRunner, as move: MoveID,
    _ input: (MovedPresses?, borrowing AlertCore) -> CoreInput?
  ) -> Bool {
    var hasLeft = false
    let (isMoved, isOurs, isHolders) = machines.withLock { machines in
      guard !machines.isClosed else { return (false, false, false) }
      return holder.machines.withLock { holding in
        let isOpen = holding.core.keychainsWithOpenPresses.contains(device)
        let stays =
          isOpen && holding.core.isSomebodyTold(of: device)
          && !machines.core.canTell(insteadOf: holding.core)
        if holder.store.number == .first { hasLeft = process.stays(device, stays) && !stays }
        let presses = stays ? nil : holding.core.openPresses(of: device, for: move)
        guard let input = input(presses, machines.core) else { return (false, false, false) }
        let now = timestamp()
        let isOurs = machines.step(input, at: now)
        guard machines.core.isMoving(move) else { return (false, isOurs, false) }
        return (true, isOurs, holding.step(.movedAway(device, move), at: now))
      }
    }
    if isOurs { performAll() }
    if isHolders { holder.performAll() }
    if hasLeft { process.devices.renewOwners(of: [device]) }
    if waiting.load(ordering: .acquiring) > 0 || holder.waiting.load(ordering: .acquiring) > 0 {
      process.steps.signal()
    }
    return isMoved
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
    guard let move = beginMove(from: holder, to: runner) else {
      // Presses that are open elsewhere are moved behind the claim.
      return runner.claim(device, input)
    }
    let isMoved = runner.move(device, from: holder, as: move) { presses, core in
      input(presses ?? core.unclaimedPresses(of: device))
    }
    if !isMoved { end(move) }
  }

  /// Moves all presses that are open in these accounts and whose keychains are another's. Where a
  /// move of the same account is under way, its end does this.
  func moveOpenPresses(of holders: [AlertBridge]) {
    guard hasSeveralAccounts, isStarted, let first = self[.first]?.runner else { return }
    for holder in holders.map(\.runner) {
      for device in holder.read({ core, _ in core.keychainsWithOpenPresses }) {
        let heir = owner(of: device).flatMap { self[$0] }?.runner ?? first
        guard heir !== holder else { continue }
        guard let move = beginMove(from: holder, to: heir) else { continue }
        let isMoved = heir.move(device, from: holder, as: move) { presses, _ in
          presses.map { .movedHere($0) }
        }
        if !isMoved { end(move) }
      }
    }
  }

  /// A press of a keychain that has been claimed, or given up, may still have been on its way to
  /// the account before.
  func moveOpenPresses(of account: AccountNumber, after event: AuditEvent) {
    guard hasSeveralAccounts, let device = event.device.flatMap({ DeviceID(text: $0) }),
      owner(of: device) ?? .first != account, let holder = self[account]
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
