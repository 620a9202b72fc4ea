import AlertCore
import ArgumentParser
import Bridge
import FobBase
import SerialIO
import Storage
import WireProtocol

/// The account of a bench: roles instead of people, and a PIN that is printed where it was made up.
enum BenchAccount {
  /// Of a rig that is measured: one contact, no PIN.
  static let measured = Account(
    name: "Owner",
    contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])

  /// As `measured`, of one keychain.
  static func measured(with device: DeviceID) -> Account {
    var account = measured
    account.devices = [device.text]
    return account
  }

  /// Of a rig that is measured: it may be pressed for days, as no finger does.
  static var measuredPolicy: Policy {
    var policy = Policy()
    policy.lastingEventPace = .init(burst: .max, every: .milliseconds(1), longest: .milliseconds(1))
    return policy
  }

  /// - Parameter plan: a PIN in it is set, nil keeps the one that is set; places replace those that
  ///   are set unless there are none; a mobile number and a country come with protection. Owners
  ///   that keychains were given in an earlier run get the PIN, too.
  /// - Returns: the account as stored, and the PIN where it was set now.
  static func open(
    _ store: AlertStore, for plan: CoreService.Plan
  ) throws -> (Account, NewPIN?) {
    let stored = try store.account()
    var account =
      stored
      ?? Account(
        name: "Owner",
        contacts: [
          Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org"),
          Contact(id: "contact-2", name: "Contact 2", address: "contact-2@example.org"),
        ])
    let set = try plan.pin ?? (account.pinHash == nil ? NewPIN.madeUp() : nil)
    if let set {
      let hash = try set.hash()
      account.pinHash = hash
      try setPIN(hash, ofOwnersIn: store)
    }
    let places = plan.alarm.place.map(\.place)
    if !places.isEmpty { account.places = places }
    if plan.isProtecting {
      (account.mobile, account.country) = ("+15555550100", "US")
      account.isProtecting = true
    }
    if account != stored { try store.setAccount(account) }
    return (account, set)
  }

  private static func setPIN(_ hash: String, ofOwnersIn store: AlertStore) throws {
    for number in try store.accounts() where number != .first {
      let store = store.store(of: number)
      guard var owner = try store.account(), let keychain = owner.devices?.first,
        owner.name == nameOfOwner(of: keychain)
      else { continue }
      owner.pinHash = hash
      try store.setAccount(owner)
    }
  }

  static func nameOfOwner(of keychain: String) -> String { "Owner of \(keychain)" }
}

/// Whose the keychains of a bench are.
enum BenchOwners: String, ExpressibleByArgument, CaseIterable {
  /// One owner has them all.
  case one
  /// Each has an owner of its own, with a contact of their own.
  case each
}

/// A PIN that is to be set, and its hash, which takes some milliseconds by design: they pass on a
/// thread of its own while the rest of a start goes on.
final class NewPIN: Sendable {
  let pin: PIN
  /// Nobody has said it, so it is to be shown.
  let isMadeUp: Bool
  private let hashed: OneShot<String>

  static func madeUp() throws(IOFailure) -> NewPIN { try NewPIN(PIN.random(), isMadeUp: true) }

  init(_ pin: PIN, isMadeUp: Bool = false) throws(IOFailure) {
    self.pin = pin
    self.isMadeUp = isMadeUp
    let hashed = try OneShot<String>()
    self.hashed = hashed
    _ = try BlockingThread(name: "pin hash") { hashed.open(with: pin.hash()) }
  }

  /// Waits for it.
  func hash() throws(IOFailure) -> String { try hashed.pass() }
}
