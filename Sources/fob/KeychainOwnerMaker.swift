import AlertCore
import Bridge
import FobBase
import SerialIO
import Synchronization

/// Gives a keychain that is linked for the first time an owner of its own, with one contact and the
/// bench's PIN. Until then, and where that fails, it is the bench's.
final class KeychainOwnerMaker: Sendable {
  /// A press waits so long for a store that does not answer; then the bench's account decides it.
  private static let patience = Interval.seconds(2)

  /// It has this, by what it calls before a link.
  private unowned let bridge: AlertBridge
  private let timeline: Timeline
  private let underWay = Mutex<Set<String>>([])

  /// - Parameter bridge: of the first account.
  init(of bridge: AlertBridge, _ timeline: Timeline) {
    self.bridge = bridge
    self.timeline = timeline
  }

  func make(after event: BridgeEvent) {
    guard case .auditEvent(let event) = event, event.name == .linkUp, let keychain = event.device
    else { return }
    make(of: keychain, waits: false)
  }

  /// Makes the owner on a thread of its own, since it waits for the disk.
  /// - Parameter waits: until there is an owner, or patience ends.
  func make(of keychain: String, waits: Bool) {
    let bridge = bridge
    guard isOfBench(keychain, bridge) else { return }
    guard underWay.withLock({ $0.insert(keychain).inserted }) else { return }
    let done = waits ? (try? OneShot<Void>()) : nil
    BlockingThread.run(named: "owner") { [self] in
      // It may have got one since.
      if isOfBench(keychain, bridge) { make(of: keychain, by: bridge) }
      underWay.withLock { _ = $0.remove(keychain) }
      done?.open(with: ())
    }
    _ = try? done?.pass(until: BootClock.now() + Self.patience)
  }

  /// The keychain is the bench's.
  private func isOfBench(_ keychain: String, _ bridge: AlertBridge) -> Bool {
    bridge.account(withKeychain: keychain) === bridge
  }

  private func make(of keychain: String, by bridge: AlertBridge) {
    var account = Account(
      name: BenchAccount.nameOfOwner(of: keychain),
      contacts: [
        Contact(
          id: "contact-1", name: "Contact of \(keychain)",
          address: "contact-\(keychain)@example.org")
      ], devices: [keychain])
    account.pinHash = bridge.account.pinHash
    do {
      let made = try bridge.add(account)
      timeline.say("account", "keychain \(keychain) is account \(made.number)'s")
    } catch {
      timeline.warn("account", "keychain \(keychain) has no owner of its own: \(error)")
    }
  }
}
