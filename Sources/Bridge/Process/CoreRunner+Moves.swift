import AlertCore
import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// Open presses of a keychain go from the first account, which hears all that nobody has claimed,
/// to the account that has claimed it.
extension CoreRunner {
  /// Hands one input to this account's core, and the other side of the move to the first account's:
  /// no press and no command comes between. Each side is decided as the other says.
  /// - Parameters:
  ///   - holder: the first account's; its lock is always the second to be taken.
  ///   - input: makes this account's input; nil where no press of the keychain is open.
  /// - Returns: false where nothing moves.
  func move(
    _ device: DeviceID, from holder: CoreRunner, as move: MoveID,
    _ input: (MovedPresses?) -> CoreInput?
  ) -> Bool {
    let now = timestamp()
    let (isMoved, isOurs, isHolders) = machines.withLock { machines in
      guard !machines.isClosed else { return (false, false, false) }
      return holder.machines.withLock { holding in
        let presses = holding.core.openPresses(of: device, for: move)
        guard let input = input(presses) else { return (false, false, false) }
        let isOurs = machines.step(input, at: now)
        guard machines.core.isMoving(move) else { return (false, isOurs, false) }
        return (true, isOurs, holding.step(.movedAway(device, move), at: now))
      }
    }
    if isOurs { performAll() }
    if isHolders { holder.performAll() }
    if waiting.load(ordering: .acquiring) > 0 || holder.waiting.load(ordering: .acquiring) > 0 {
      process.steps.signal()
    }
    return isMoved
  }

  /// Claims a keychain whose presses this account has heard while it was nobody's.
  func claim(_ device: DeviceID, _ input: (MovedPresses?) -> CoreInput) {
    let now = timestamp()
    let isOurs = machines.withLock { machines in
      guard !machines.isClosed else { return false }
      return machines.step(input(machines.core.unclaimedPresses(of: device)), at: now)
    }
    if isOurs { performAll() }
    if waiting.load(ordering: .acquiring) > 0 { process.steps.signal() }
  }
}

extension CoreRunner.Machines {
  /// - Returns: whether the caller is to perform the effects.
  mutating func step(_ input: CoreInput, at now: Timestamp) -> Bool {
    steppedAt = now
    core.step(input, at: now, into: &output)
    defer { isPerforming = true }
    return !isPerforming
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
    guard let move = beginMove() else {
      // Presses that are open are moved behind the claim.
      runner.handle(input(nil))
      return
    }
    if !runner.move(device, from: holder, as: move, { input($0) }) { end(move) }
  }

  /// Moves all presses that are open in the first account to the accounts that have claimed their
  /// keychains. While a move is under way, its end does this.
  func moveOpenPresses() {
    guard hasSeveralAccounts, isStarted, let holder = self[.first]?.runner else { return }
    for device in holder.read({ core, _ in core.keychainsWithOpenPresses }) {
      guard let owner = core(of: device), owner !== holder else { continue }
      guard let move = beginMove() else { return }
      if !owner.move(device, from: holder, as: move, { $0.map { .movedHere($0) } }) { end(move) }
    }
  }

  /// A press of a keychain that has been claimed may still have been on its way to the first
  /// account.
  func moveOpenPresses(ofOthersAfter event: AuditEvent) {
    guard hasSeveralAccounts, let device = event.device.flatMap({ DeviceID(text: $0) }),
      core(of: device) != nil
    else { return }
    moveOpenPresses()
  }
}
