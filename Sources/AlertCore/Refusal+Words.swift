extension UserCommand.Refusal: CustomStringConvertible {
  /// In words, with a hint where there is one.
  public var description: String {
    switch self {
    case .nothingOpen: "no emergency is open"
    case .nobodyTold: "nobody has been told yet: the countdown is still running"
    case .nothingEnded: "there is no ended emergency to resume from"
    case .pinNeeded: "the PIN is needed"
    case .wrongPIN: "wrong PIN"
    case .pinBlocked: "too many wrong PINs: wait before the next try"
    case .unknownContact: "no such contact"
    case .unknownDevice: "no such keychain is linked; plug it in, or look at the list of devices"
    case .unownedDevice: "this keychain belongs to no account; claim it first"
    case .notProtecting: "protection is not started: automatic triggers do not count"
    case .unowned: "the incident belongs to no account: an administrator ends it"
    case .notUnowned: "the incident belongs to an account: its PIN ends it"
    case .locked: "locked while an alarm is active: switch it off with the PIN first"
    case .noAccount: "there is no account yet; make one first"
    case .accountExists: "there is an account already; log in to it"
    case .notLoggedIn: "nobody is logged in"
    case .unchanged: "nothing has changed"
    case .claimed(let owner):
      "a keychain can only be connected to one account at a time; this one is \(owner)'s"
    case .invalid(let part, let reason): "\(part): \(reason)"
    case .tooMany(let what, let limit): "no more than \(limit) \(what)"
    case .notSent(let reason): "the mail was not sent: \(reason)"
    case .tooOften: "a new PIN was mailed a short time ago: look for it, or wait an hour"
    case .missing(let parts): "protection needs \(parts.joined(separator: ", "))"
    }
  }

  /// Its name, as programs tell refusals apart.
  public var code: String {
    switch self {
    case .nothingOpen: "nothingOpen"
    case .nobodyTold: "nobodyTold"
    case .nothingEnded: "nothingEnded"
    case .pinNeeded: "pinNeeded"
    case .wrongPIN: "wrongPIN"
    case .pinBlocked: "pinBlocked"
    case .unknownContact: "unknownContact"
    case .unknownDevice: "unknownDevice"
    case .unownedDevice: "unownedDevice"
    case .notProtecting: "notProtecting"
    case .unowned: "unowned"
    case .notUnowned: "notUnowned"
    case .locked: "locked"
    case .noAccount: "noAccount"
    case .accountExists: "accountExists"
    case .notLoggedIn: "notLoggedIn"
    case .unchanged: "unchanged"
    case .claimed: "claimed"
    case .invalid: "invalid"
    case .tooMany: "tooMany"
    case .notSent: "notSent"
    case .tooOften: "tooOften"
    case .missing: "missing"
    }
  }
}
