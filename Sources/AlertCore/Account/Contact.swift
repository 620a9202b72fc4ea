/// A contact's name within its account, as in "contact-1", or a channel's in the configuration.
public typealias ContactID = String

/// A person who is told of an emergency, or a channel that is no person, such as an Alertmanager.
public struct Contact: Codable, Equatable, Sendable {
  /// No two contacts of an account share it.
  public var id: ContactID
  /// For messages and pages; the audit log has the id alone (R104).
  public var name: String
  /// E.164, as in "+15555550101". One of them is chosen (R15).
  public var numbers: [String]
  /// Index of the chosen number.
  public var chosen: Int
  /// Nil: none.
  public var email: String?
  /// BCP 47, as in "de": the language of the messages; nil: the account's.
  public var language: String?
  /// The names of the sinks that can reach this contact, in the order in which they are tried. They
  /// come from the configuration and are not stored.
  public var ways: [String] = []

  /// A contact with any numbers and a mailbox, or none; `chosen` is an index in `numbers`.
  public init(
    id: ContactID, name: String, numbers: [String] = [], chosen: Int = 0, email: String? = nil,
    language: String? = nil
  ) {
    self.id = id
    self.name = name
    self.numbers = numbers
    self.chosen = chosen
    self.email = email
    self.language = language
  }

  /// A contact with one address: a mailbox where it has an "@", else a number.
  public init(id: ContactID, name: String, address: String) {
    let isMailbox = address.contains("@")
    self.init(
      id: id, name: name, numbers: isMailbox || address.isEmpty ? [] : [address],
      email: isMailbox ? address : nil)
  }

  /// The chosen number; nil: there is none.
  public var number: String? { numbers.indices.contains(chosen) ? numbers[chosen] : nil }

  /// The chosen number, else the mailbox.
  public var address: String { number ?? email ?? "" }

  private enum CodingKeys: CodingKey { case id, name, address, numbers, chosen, email, language }

  /// An older version wrote only an address.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let id = try values.decode(String.self, forKey: .id)
    let name = try values.decode(String.self, forKey: .name)
    if let numbers = try values.decodeIfPresent([String].self, forKey: .numbers) {
      self.init(
        id: id, name: name, numbers: numbers,
        chosen: try values.decodeIfPresent(Int.self, forKey: .chosen) ?? 0,
        email: try values.decodeIfPresent(String.self, forKey: .email))
    } else {
      self.init(id: id, name: name, address: try values.decode(String.self, forKey: .address))
    }
    language = try values.decodeIfPresent(String.self, forKey: .language)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encode(address, forKey: .address)
    try values.encodeIfPresent(language, forKey: .language)
    guard !numbers.isEmpty else { return }
    try values.encode(numbers, forKey: .numbers)
    try values.encode(chosen, forKey: .chosen)
    try values.encodeIfPresent(email, forKey: .email)
  }
}
