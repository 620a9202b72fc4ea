import AlertCore
import Bridge
import FobBase
import Storage

/// The account of a bench: roles instead of people, and a PIN that is printed where it was made up.
enum BenchAccount {
  /// Of a rig that is measured: one contact, no PIN.
  static let measured = Account(
    name: "Owner",
    contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])

  /// Of a rig that is measured: it may be pressed for days, as no finger does.
  static var measuredPolicy: Policy {
    var policy = Policy()
    policy.lastingEventPace = .init(burst: .max, every: .milliseconds(1), longest: .milliseconds(1))
    return policy
  }

  /// - Parameters:
  ///   - pin: sets this PIN; nil keeps the one that is set.
  ///   - places: named places for the alarm's text, replacing those that are set unless empty.
  /// - Returns: the account as stored, and the PIN where it was set now.
  static func open(
    _ store: AlertStore, pin: NewPIN?, places: [Place]
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
    let set = try pin ?? (account.pinHash == nil ? NewPIN.madeUp() : nil)
    if let set { account.pinHash = try set.hash() }
    if !places.isEmpty { account.places = places }
    if account != stored { try store.setAccount(account) }
    return (account, set)
  }
}
