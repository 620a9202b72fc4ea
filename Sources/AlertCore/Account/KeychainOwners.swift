public import FobBase

/// Which account of a process each keychain is of. All that none has claimed are the first
/// account's, so that no press is nobody's.
public struct KeychainOwners: Sendable {
  private var keychains: [AccountNumber: Set<DeviceID>] = [:]
  private var owners: [DeviceID: AccountNumber] = [:]
  private var claims: [DeviceID: AccountNumber] = [:]
  /// Keychains whose alarm stays with the first account, since whoever has claimed them has nobody
  /// to tell.
  public private(set) var staying: Set<DeviceID> = []

  /// Nobody has claimed a keychain.
  public init() {}

  /// The account that has claimed a keychain; nil: none has.
  public subscript(device: DeviceID) -> AccountNumber? { owners[device] }

  /// The account that hears what a keychain says: that which has claimed it, but for an alarm that
  /// stays with the first.
  public func account(of device: DeviceID) -> AccountNumber {
    staying.contains(device) ? .first : owners[device] ?? .first
  }

  /// Takes over which keychains an account has now.
  /// - Returns: those that it has got or given up.
  public mutating func learn(_ account: Account, of number: AccountNumber) -> Set<DeviceID> {
    let claimed = Set((account.devices ?? []).compactMap { DeviceID(text: $0) })
    let before = keychains.updateValue(claimed, forKey: number) ?? []
    for device in before.subtracting(claimed) where owners[device] == number {
      owners[device] = nil
    }
    for device in claimed where owners[device] == nil { owners[device] = number }
    return before.symmetricDifference(claimed)
  }

  /// The account is deleted.
  /// - Returns: the keychains that were still its.
  public mutating func remove(_ number: AccountNumber) -> Set<DeviceID> {
    defer { keychains[number] = nil }
    return learn(.none, of: number)
  }

  // MARK: Claims that are not yet durable

  /// Begins a claim, which `endClaim` ends: meanwhile no other account can claim the keychain.
  /// - Returns: the other account that has claimed it, or is about to; nil: none.
  public mutating func beginClaim(
    of device: DeviceID, for account: AccountNumber
  ) -> AccountNumber? {
    if let other = owners[device] ?? claims[device], other != account { return other }
    claims[device] = account
    return nil
  }

  /// The claim is durable, or refused.
  public mutating func endClaim(of device: DeviceID, for account: AccountNumber) {
    if claims[device] == account { claims[device] = nil }
  }

  /// The account that is about to have a keychain that nobody has; nil: none.
  public func claimer(of device: DeviceID) -> AccountNumber? {
    owners[device] == nil ? claims[device] : nil
  }

  // MARK: Alarms that stay

  /// Says whether a keychain's alarm stays with the first account, which has decided so.
  /// - Returns: whether that is new.
  public mutating func stays(_ device: DeviceID, _ stays: Bool) -> Bool {
    guard staying.contains(device) != stays else { return false }
    if stays { staying.insert(device) } else { staying.remove(device) }
    return true
  }

  /// - Parameter open: the keychains that have presses in an open alarm of the first account.
  /// - Returns: those whose alarm has stayed there, and has ended.
  public mutating func leave(_ open: some Sequence<DeviceID>) -> Set<DeviceID> {
    let ended = staying.subtracting(open)
    staying.subtract(ended)
    return ended
  }
}
