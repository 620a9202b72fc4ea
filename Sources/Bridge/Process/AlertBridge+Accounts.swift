public import AlertCore
import FobBase
import SerialIO
import Storage
import Synchronization
import WireProtocol

/// Several accounts in one process. Each has a core, contacts, a PIN, incidents and a log of its
/// own; nothing that one person does touches another's alarm.
extension AlertBridge {
  /// Which account this is.
  public var number: AccountNumber { store.number }

  /// Makes a further account, durable when this returns, and serves it from now on. Call it on any
  /// account of the process, after `start`.
  /// - Parameter account: its keychains are listed, and no other account has them.
  /// - Returns: the new account.
  /// - Throws: `StorageFailure`; `UserCommand.Refusal` where another account has one of the
  ///   keychains, or there is no room for one more.
  public func add(_ account: Account) throws -> AlertBridge {
    precondition(account.devices != nil, "only the first account may have every keychain")
    return try process.making {
      for device in (account.devices ?? []).compactMap({ DeviceID(text: $0) }) {
        if let owner = process.owner(of: device) { throw claimed(by: owner) }
      }
      guard let number = try store.nextAccount() else {
        throw UserCommand.Refusal.tooMany("accounts", limit: AccountNumber.last.rawValue)
      }
      let store = store.store(of: number)
      try store.setAccount(account)
      return try serve(account, store, isNew: true)
    }
  }

  /// Makes an account out of what a person typed, as `add`. Blocks until it is durable.
  /// - Parameters:
  ///   - profile: not yet checked.
  ///   - who: for the log: a role or a token's name, never a person's.
  /// - Throws: as `add`; `UserCommand.Refusal` where a field is refused, or another account has the
  ///   mail address.
  public func makeAccount(_ profile: AccountChange.Profile, by who: String) throws -> AlertBridge {
    var tried = Account.none
    if let refusal = tried.apply(.create(profile), isProven: true, policy) { throw refusal }
    let email = tried.email.lowercased()
    guard email.isEmpty || !accounts.contains(where: { $0.account.email.lowercased() == email })
    else { throw UserCommand.Refusal.accountExists }
    let made = try add(.none)
    let answer = try OneShot<Answer>()
    made.change(.create(profile), pin: nil, by: who) { answer.open(with: $0) }
    if let refusal = try answer.pass().refusal { throw refusal }
    return made
  }

  /// Serves all accounts that the store has. Call it before `start`, once.
  /// - Throws: `StorageFailure`.
  public func serveAccounts() throws {
    for number in try store.accounts() where number != .first {
      let store = store.store(of: number)
      if let account = try store.account() { _ = try serve(account, store, isNew: false) }
    }
  }

  // MARK: For who runs the core

  /// Its owner is served nothing but their alarm, which goes on whole.
  public var isSuspended: Bool { suspended.load(ordering: .acquiring) }

  /// Suspends an account beside the first, or lets it go on. Durable when it returns; throws
  /// `StorageFailure`.
  public func suspend(_ isSuspended: Bool) throws {
    try store.suspend(isSuspended)
    suspended.store(isSuspended, ordering: .releasing)
  }

  /// Deletes an account beside the first: erased (R86) as by its owner, and then all that is left
  /// of it, the log as well. Its keychains are nobody's from then on, and their next press raises
  /// the first account's alarm. Blocks until no file of the store has it.
  /// - Parameter who: for the log of an erasure that is not followed by the rest.
  /// - Throws: `UserCommand.Refusal.locked` during an alarm or while a press is being read;
  ///   `StorageFailure`: the account may be erased then, and can be deleted later.
  public func delete(by who: String) throws {
    try process.making {
      let paired = pairings(leftBy: .erase)
      if account.isActive {
        let answer = try OneShot<Answer>()
        perform(.change(.erase, isProven: true), by: who) { answer.open(with: $0) }
        if let refusal = try answer.pass().refusal { throw refusal }
        accountChanged()
      }
      endPairings(of: paired, by: who)
      guard runner.close(by: BootClock.now() + .seconds(5)) else {
        throw UserCommand.Refusal.locked
      }
      do {
        try store.delete()
      } catch {
        runner.reopen()
        throw error
      }
      process.remove(number)
      feed.close()
    }
  }

  private func serve(
    _ account: Account, _ store: AlertStore, isNew: Bool
  ) throws -> AlertBridge {
    let bridge = try AlertBridge(account, store, isNew: isNew, beside: self)
    bridge.suspended.store(try store.standing() == .suspended, ordering: .releasing)
    process.serve(bridge)
    if process.isStarted {
      bridge.begin()
      bridge.moveOpenPresses()
    }
    return bridge
  }

  /// An account of this process; nil: there is no such account.
  public subscript(number: AccountNumber) -> AlertBridge? { process[number] }

  /// The account that a keychain is of; the first where none has claimed it.
  /// - Parameter keychain: its id, sixteen hexadecimal digits.
  public func account(withKeychain keychain: String) -> AlertBridge {
    DeviceID(text: keychain).flatMap { process.owner(of: $0) }.flatMap { process[$0] }
      ?? process[.first] ?? self
  }

  /// An event as the watchers of its account's owner see it, and that account; nil where it is
  /// gone.
  public func ofOwner(_ event: BridgeEvent) -> (event: BridgeEvent, account: AlertBridge)? {
    guard case .otherAuditEvent(let auditEvent, let number) = event else { return (event, self) }
    return self[number].map { (.auditEvent(auditEvent), $0) }
  }

  /// All accounts of this process, in order.
  public var accounts: [AlertBridge] { process.served }

  /// Begins a change, which `end` ends. Keychains that nobody has claimed are anybody's, and an
  /// address by which an owner logs in is one account's.
  /// - Returns: the change; a claim with what others heard of the keychain. Where that cannot be
  ///   read, a press may be told twice.
  /// - Throws: why another account does not allow it.
  func begin(_ change: AccountChange) throws(UserCommand.Refusal) -> AccountChange {
    switch change {
    case .claim(let device, let email, _, _):
      if let owner = process.beginClaim(of: device, for: number) { throw claimed(by: owner) }
      guard process.hasSeveralAccounts else { return change }
      let heard = try? store.heardByOthers(from: device)
      return .claim(device, email: email, heard: heard ?? [])
    case .create(let profile), .edit(let profile):
      guard !isOthers(address: profile.email) else {
        throw .invalid("email", "is another account's")
      }
      return change
    default: return change
    }
  }

  func end(_ change: AccountChange) {
    if case .claim(let device, _, _, _) = change { process.endClaim(of: device, for: number) }
  }

  /// Why a keychain is not this account's to pair; nil: it is, or nobody's.
  func obstacle(toPairing device: DeviceID) -> UserCommand.Refusal? {
    process.owner(of: device).flatMap { $0 == number ? nil : claimed(by: $0) }
  }

  private func claimed(by other: AccountNumber) -> UserCommand.Refusal {
    .claimed(by: MaskedEmail.of(process[other]?.account.email ?? ""))
  }

  private func isOthers(address: String?) -> Bool {
    guard process.hasSeveralAccounts, let address = address?.lowercased(), !address.isEmpty else {
      return false
    }
    return accounts.contains { $0 !== self && $0.account.email.lowercased() == address }
  }
}
