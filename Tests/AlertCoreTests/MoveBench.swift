import FobBase
import TestSupport
import WireProtocol

@testable import AlertCore

/// The first account and one beside it, as a process has them: both sides of a move are decided at
/// once, and are durable together or not at all.
struct MoveBench {
  var first: CoreBench
  var owner: CoreBench
  private var lastMove: UInt64 = 0
  private static let commands: [UserCommand] = [
    .acknowledge("contact-1"), .silence, .resume, .disarm, .endUnowned,
  ]

  init(of holder: Account, claimedBy account: Account, _ policy: Policy) {
    first = CoreBench(holder, policy)
    owner = CoreBench(account, policy)
    for device in [keychain, otherKeychain] {
      first.hand(.linkUp(LinkID(rawValue: Int(device.rawValue)), .from(device)))
    }
  }

  mutating func run(for interval: Interval) {
    first.run(for: interval)
    owner.run(for: interval)
  }

  /// Presses and what else may come before the claim.
  mutating func live(_ random: inout some RandomNumberGenerator) -> [EventRecord] {
    var presses: [EventRecord] = []
    for n: UInt32 in 1...UInt32.random(in: 1...8, using: &random) {
      switch UInt8.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        presses.append(.press(n))
        first.press(.press(n))
      case 3: first.press(.press(n, device: otherKeychain))
      case 4, 5: first.perform(Self.commands.randomElement(using: &random)!)
      case 6: first.otherSinks = Bool.random(using: &random) ? .refuses : .acceptsAtOnce
      default: run(for: random.interval(upTo: .minutes(2)))
      }
    }
    first.commitNotes()
    owner.run(until: first.now)
    return presses
  }

  // MARK: The move

  /// Decides both sides, which the stores do not answer yet.
  @discardableResult
  mutating func beginClaim() -> RequestID {
    let (move, moved) = beginMove()
    let heard = first.store.identities.filter { $0.deviceID == keychain }
    let claim = AccountChange.claim(keychain, email: nil, heard: Array(heard), moved: moved)
    let request = owner.perform(.change(claim, isProven: true))
    if owner.core.isMoving(move) { first.hand(.movedAway(keychain, move)) }
    return request
  }

  mutating func claim() -> UserCommand.Refusal? {
    let request = beginClaim()
    wakeStores()
    return owner.answers[request]?.refusal
  }

  private mutating func beginMove() -> (MoveID, MovedPresses?) {
    first.storeBehaviour = .silent
    owner.storeBehaviour = .silent
    lastMove += 1
    let move = MoveID(rawValue: lastMove)
    return (move, first.core.openPresses(of: keychain, for: move))
  }

  /// Without a claim, as where the press came later.
  mutating func move() {
    let (move, moved) = beginMove()
    if let moved {
      owner.hand(.movedHere(moved))
      first.hand(.movedAway(keychain, move))
    }
    wakeStores()
  }

  // MARK: The stores

  mutating func wakeStores() {
    first.wakeStore()
    owner.elsewhere = first.store.acks
    owner.wakeStore()
  }

  mutating func failStores() {
    first.failStore()
    owner.failStore()
  }

  mutating func healStores() {
    first.storeBehaviour = .silent
    owner.storeBehaviour = .silent
    run(for: .seconds(1))
    wakeStores()
  }

  /// - Parameter isDurable: the commits had reached the disk.
  mutating func crash(isDurable: Bool) {
    first.restart(keepsHanging: isDurable)
    owner.restart(keepsHanging: isDurable)
    for device in [keychain, otherKeychain] {
      first.hand(.linkUp(LinkID(rawValue: Int(device.rawValue)), .from(device)))
    }
    first.storeBehaviour = .commitsAtOnce
    owner.storeBehaviour = .commitsAtOnce
    owner.hand(.heardElsewhere(Array(first.store.identities)))
  }
}

extension AlertCore {
  var hasOpen: Bool { engine.hasOpen }

  /// Of the keychain that is claimed.
  var openPresses: [String] {
    (engine.open?.presses ?? []).filter { $0.device == keychain.text }.map(\.event)
  }
}
