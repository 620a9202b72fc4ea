import FobBase

/// All rules of the account (R4 to R21, R57). An interface only carries what was typed.
extension Account {
  /// The account exists and is logged in, so its keychains raise its alarm.
  public var isActive: Bool { exists && isLoggedIn }

  /// Changes the account if every rule allows it.
  /// - Parameter isProven: the PIN was right.
  /// - Returns: the refusal, which leaves everything as it was; nil: it is changed.
  package mutating func apply(
    _ change: AccountChange, isProven: Bool, _ policy: Policy
  ) -> UserCommand.Refusal? {
    var account = self
    do throws(UserCommand.Refusal) {
      try account.perform(change, isProven: isProven, policy)
    } catch {
      return error
    }
    guard account != self else { return .unchanged }
    self = account
    return nil
  }

  private mutating func perform(
    _ change: AccountChange, isProven: Bool, _ policy: Policy
  ) throws(UserCommand.Refusal) {
    try checkAccess(change, isProven: isProven)
    switch change {
    case .create(let profile): try create(profile)
    case .edit(let profile): try edit(profile)
    case .setPIN(let hash):
      pinHash = hash
      offeredPINHash = nil
    case .offerPIN(let hash): offeredPINHash = hash
    case .adoptPIN:
      guard let offered = offeredPINHash else { throw .unchanged }
      pinHash = offered
      offeredPINHash = nil
    case .addContact(let draft): try add(draft)
    case .editContact(let id, let draft):
      guard let index = contacts.firstIndex(where: { $0.id == id }) else { throw .unknownContact }
      contacts[index] = try draft.contact(id, country)
    case .removeContact(let id):
      guard contacts.contains(where: { $0.id == id }) else { throw .unknownContact }
      lastContact = highestContact
      contacts.removeAll { $0.id == id }
    case .importContacts(let drafts):
      for draft in drafts {
        let name = try FieldValidation.name(draft.name, "name")
        if !contacts.contains(where: { $0.name == name }) { try add(draft) }
      }
    case .finishSetUp: isSetUp = true
    case .claim(let device, let email, _, _): try claim(device, email)
    case .disconnect(let device):
      guard devices?.contains(device.text) ?? false else { throw .unknownDevice }
      devices?.removeAll { $0 == device.text }
    case .logIn: isLoggedIn = true
    case .logOut:
      isLoggedIn = false
      isProtecting = false
    case .confirmEmail: isEmailConfirmed = true
    case .startProtection:
      let missing = missingForProtection(policy)
      guard missing.isEmpty else { throw .missing(missing) }
      isProtecting = true
    case .stopProtection: isProtecting = false
    case .erase:
      let last = highestContact
      self = .none
      lastContact = last
    }
  }

  /// Who may ask for the change: after set-up it needs the PIN (R7, R9, R16, R17, R19).
  private func checkAccess(_ change: AccountChange, isProven: Bool) throws(UserCommand.Refusal) {
    let isProven = isProven || pinHash == nil
    switch change {
    case .create:
      guard !exists else { throw .accountExists }
      return
    case .logIn:
      guard exists else { throw .noAccount }
      guard isProven else { throw .pinNeeded }
      return
    case .offerPIN, .adoptPIN, .confirmEmail:
      guard exists else { throw .noAccount }
      return
    case .claim(let device, let email, _, _):
      guard exists else { throw .noAccount }
      // A person who asks for somebody else's keychain learns its owner's address, masked as R11
      // asks.
      if has(device), email.map({ $0.lowercased() != self.email.lowercased() }) ?? !isLoggedIn {
        throw .claimed(by: MaskedEmail.of(self.email))
      }
    // Logged out nobody is told, and unprotected nobody is called when a check-in is not answered:
    // who holds the owner's telephone for a moment must not do that.
    case .setPIN, .disconnect, .logOut, .stopProtection, .erase:
      guard isProven else { throw exists ? .pinNeeded : .noAccount }
    case .edit, .editContact, .removeContact:
      guard isProven || !isSetUp else { throw .pinNeeded }
    // One more is told: that needs no PIN (R121).
    case .addContact, .importContacts: break
    case .finishSetUp, .startProtection: break
    }
    guard exists else { throw .noAccount }
    guard isLoggedIn else { throw .notLoggedIn }
  }

  private func has(_ device: DeviceID) -> Bool { devices?.contains(device.text) ?? true }

  // MARK: The person

  private mutating func create(_ profile: AccountChange.Profile) throws(UserCommand.Refusal) {
    let (devices, lastContact) = (devices, lastContact)
    self = Account.none
    self.devices = devices ?? []
    self.lastContact = lastContact
    for (field, value) in [
      ("name", profile.name), ("email", profile.email), ("mobile", profile.mobile),
    ] where value == nil {
      throw .invalid(field, "is needed")
    }
    try edit(profile)
    isLoggedIn = true
  }

  private mutating func edit(_ profile: AccountChange.Profile) throws(UserCommand.Refusal) {
    if let name = profile.name { self.name = try FieldValidation.name(name, "name") }
    if let email = profile.email {
      let written = try FieldValidation.email(email, "email")
      if written != self.email { isEmailConfirmed = false }
      self.email = written
    }
    // Before the number, which may be one within it.
    if let country = profile.country { self.country = try FieldValidation.country(country) }
    if let mobile = profile.mobile {
      self.mobile = try FieldValidation.number(mobile, "mobile", country)
    }
    if let language = profile.language { self.language = try FieldValidation.language(language) }
    if let possessive = profile.possessive {
      self.possessive = try FieldValidation.name(possessive, "possessive")
    }
    if let zone = profile.zone { self.zone = try FieldValidation.zone(zone) }
    if let mayLocate = profile.mayLocate { self.mayLocate = mayLocate }
    if let minutes = profile.messageEvery {
      guard (1...60).contains(minutes) else {
        throw .invalid("messageEvery", "is not 1 to 60 minutes")
      }
      messageEvery = minutes
    }
    if let places = profile.places {
      guard places.count <= Limits.places else { throw .tooMany("places", limit: Limits.places) }
      self.places = []
      for var place in places {
        place.name = try FieldValidation.name(place.name, "places")
        self.places.append(place)
      }
    }
  }

  /// What is missing before protection can start (R57), in words; empty: nothing.
  public func missingForProtection(_ policy: Policy) -> [String] {
    var missing: [String] = []
    if name.isEmpty { missing.append("a full name") }
    if mobile.isEmpty { missing.append("a mobile number, as in +1 5555550100") }
    if country.isEmpty {
      missing.append("a country")
    } else if !policy.servedCountries.isEmpty, !policy.servedCountries.contains(country) {
      missing.append("a country that is served")
    }
    if !mayLocate { missing.append("leave to use positions") }
    return missing
  }

  // MARK: Contacts and keychains

  private mutating func add(_ draft: ContactDraft) throws(UserCommand.Refusal) {
    guard contacts.count < Limits.contacts else {
      throw .tooMany("contacts", limit: Limits.contacts)
    }
    let number = highestContact + 1
    contacts.append(try draft.contact("contact-\(number)", country))
    lastContact = number
  }

  /// The greatest number that a contact's id has or had.
  private var highestContact: Int {
    let numbers = contacts.compactMap { Int($0.id.split(separator: "-").last ?? "") }
    return (numbers + [lastContact ?? 0]).filter { $0 < Int.max }.max() ?? 0
  }

  private mutating func claim(_ device: DeviceID, _ email: String?) throws(UserCommand.Refusal) {
    if let email, email.lowercased() != self.email.lowercased() {
      throw .invalid("email", "is not this account's")
    }
    // Without a list every keychain is the account's already.
    guard !has(device), let count = devices?.count else { throw .unchanged }
    guard count < Limits.accountDevices else {
      throw .tooMany("keychains", limit: Limits.accountDevices)
    }
    devices?.append(device.text)
  }
}

extension ContactDraft {
  /// A contact may have this as its mail address.
  public static func isMailbox(_ text: String) -> Bool {
    (try? FieldValidation.email(text, "")) != nil
  }

  /// The checked contact: it has a name and exactly one chosen number (R15).
  /// - Parameter country: the account's: numbers within it need no country's code.
  fileprivate func contact(
    _ id: ContactID, _ country: String
  ) throws(UserCommand.Refusal) -> Contact {
    guard !numbers.isEmpty else { throw .invalid("numbers", "one is needed") }
    guard numbers.count <= Limits.contactNumbers else {
      throw .tooMany("numbers of a contact", limit: Limits.contactNumbers)
    }
    let chosen = numbers.indices.filter { numbers[$0].chosen }
    guard chosen.count == 1 else {
      throw .invalid("numbers", "exactly one is to be chosen, not \(chosen.count)")
    }
    var written: [String] = []
    for number in numbers {
      written.append(try FieldValidation.number(number.number, "numbers", country))
    }
    var email: String?
    if let given = self.email { email = try FieldValidation.email(given, "email") }
    var language: String?
    if let given = self.language { language = try FieldValidation.language(given) }
    return Contact(
      id: id, name: try FieldValidation.name(name, "name"), numbers: written, chosen: chosen[0],
      email: email, language: language)
  }
}

/// A mail address in the form that a stranger may see (R11, G7).
public enum MaskedEmail {
  /// Keeps the first four letters before the @, or only the first where there are no more than
  /// four. Then come four asterisks, which hide the length, and the domain.
  public static func of(_ address: String) -> String {
    guard let at = address.lastIndex(of: "@") else { return "****" }
    let local = address[..<at]
    return local.prefix(local.count > 4 ? 4 : 1) + "****" + address[at...]
  }
}

/// Checks what people type and brings it into its stored form.
enum FieldValidation {
  /// - Parameter limit: bytes.
  static func name(
    _ text: String, _ part: String, limit: Int = 100
  ) throws(UserCommand.Refusal) -> String {
    let trimmed = trim(text)
    guard !trimmed.isEmpty else { throw .invalid(part, "is empty") }
    guard trimmed.utf8.count <= limit else { throw .invalid(part, "has more than \(limit) bytes") }
    if let fault = fault(of: trimmed) { throw .invalid(part, fault) }
    return trimmed
  }

  /// C0, DEL and C1, of which a terminal takes some for commands.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// Why a line cannot be kept as text that people read, as a clause; nil where it can.
  static func fault(of line: String) -> String? {
    for scalar in line.unicodeScalars {
      if isControl(scalar) { return "has a control character" }
      if misleads(scalar) {
        let code = String(scalar.value, radix: 16, uppercase: true)
        return "has the character U+\(code), which hides, breaks or reorders text"
      }
    }
    return nil
  }

  /// With them a line reads otherwise than it is stored: line and paragraph separators, embeddings,
  /// overrides and isolates of direction (UAX #9), and the byte order mark. The marks and joiners
  /// that languages and emoji need (U+200C to U+200F) are none.
  private static func misleads(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// E.164 (R57).
  static func number(
    _ text: String, _ part: String, _ country: String
  ) throws(UserCommand.Refusal) -> String {
    do throws(PhoneNumber.Problem) {
      return try PhoneNumber.e164(text, country: country)
    } catch {
      throw .invalid(part, error.description)
    }
  }

  /// One @ between a local part and a domain with a dot, in ASCII (RFC 5321's lengths).
  static func email(_ text: String, _ part: String) throws(UserCommand.Refusal) -> String {
    let trimmed = trim(text)
    let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count), trimmed.utf8.count <= 254,
      trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !#",;:<>()[]\""#.utf8.contains($0) }),
      parts[1].split(separator: ".", omittingEmptySubsequences: false).count >= 2,
      parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { throw .invalid(part, "is no mail address, as in owner@example.org") }
    return trimmed
  }

  /// ISO 3166's two letters.
  static func country(_ text: String) throws(UserCommand.Refusal) -> String {
    guard text.utf8.count == 2, text.utf8.allSatisfy(isLetter) else {
      throw .invalid("country", "is not two letters, as in FR")
    }
    let country = text.uppercased()
    guard NumberingPlan.all[country] != nil || NumberingPlan.uninhabited.contains(country) else {
      throw .invalid("country", "is no country of ISO 3166, as FR is")
    }
    return country
  }

  /// BCP 47's shape.
  static func language(_ text: String) throws(UserCommand.Refusal) -> String {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, (2...8).contains(parts[0].utf8.count),
      parts[0].utf8.allSatisfy(isLetter),
      parts.dropFirst().allSatisfy({
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { isLetter($0) || isDigit($0) }
      })
    else { throw .invalid("language", "is no language tag, as in en or fr-CA") }
    return text
  }

  /// A name of IANA's list.
  static func zone(_ text: String) throws(UserCommand.Refusal) -> String {
    guard ZoneNames.all.contains(text[...]) else {
      throw .invalid("zone", "is no time zone that exists, as Europe/Paris does")
    }
    return text
  }

  private static func trim(_ text: String) -> String {
    var part = Substring(text)
    while part.first?.isWhitespace == true { part.removeFirst() }
    while part.last?.isWhitespace == true { part.removeLast() }
    return String(part)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
