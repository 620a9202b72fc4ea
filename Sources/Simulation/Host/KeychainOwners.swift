import AlertCore
import FobBase

/// Which account each keychain is of, as `CoreProcess` has it. All that none has claimed are the
/// first account's.
struct KeychainOwners {
  /// The keychains of each account.
  private var devices: [Int: Set<DeviceID>] = [:]
  private var owners: [DeviceID: Int] = [:]
  /// Keychains whose claim is not yet durable.
  private var claims: [DeviceID: Int] = [:]

  /// Nil: nobody's.
  subscript(device: DeviceID) -> Int? { owners[device] }

  func claimer(of device: DeviceID) -> Int? { claims[device] }

  /// Takes the keychains of an account as its core has them now.
  /// - Returns: those that it has got or given up.
  mutating func learn(_ account: Account, of number: Int) -> Set<DeviceID> {
    let claimed = Set((account.devices ?? []).compactMap { DeviceID(text: $0) })
    let before = devices.updateValue(claimed, forKey: number) ?? []
    for device in before.subtracting(claimed) where owners[device] == number {
      owners[device] = nil
    }
    for device in claimed where owners[device] == nil { owners[device] = number }
    return before.symmetricDifference(claimed)
  }

  /// - Returns: false where another account has claimed the keychain, or is about to.
  mutating func beginClaim(of device: DeviceID, for account: Int) -> Bool {
    guard owners[device] ?? claims[device] ?? account == account else { return false }
    claims[device] = account
    return true
  }

  mutating func endClaim(of device: DeviceID, for account: Int) {
    if claims[device] == account { claims[device] = nil }
  }
}
