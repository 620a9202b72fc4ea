/// A contact's name within its account, as in "contact-1", or a channel's in the configuration.
public typealias ContactID = String

/// Somebody who is told of an emergency; also a channel that is no person, as an Alertmanager is.
public struct Contact: Codable, Equatable, Sendable {
  /// No two contacts of an account share it.
  public var id: ContactID
  /// As people and logs of channels show it; the audit log has the id alone (R104).
  public var name: String
  /// E.164, as in "+15555550101"; of several one is chosen (R15).
  public var numbers: [String]
  /// Index of the chosen number.
  public var chosen: Int
  /// Nil: none.
  public var email: String?
  /// The sinks that can reach this contact, by name, the first to be tried first. Configuration
  /// decides; it is no part of what is stored.
  public var ways: [String] = []

  /// - Parameter chosen: index in `numbers`.
  public init(
    id: ContactID, name: String, numbers: [String] = [], chosen: Int = 0, email: String? = nil
  ) {
    self.id = id
    self.name = name
    self.numbers = numbers
    self.chosen = chosen
    self.email = email
  }

  /// One address: a number, or a mailbox where it has an "@".
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

  private enum CodingKeys: CodingKey { case id, name, address, numbers, chosen, email }

  /// What an older version wrote has an address alone.
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
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encode(address, forKey: .address)
    guard !numbers.isEmpty else { return }
    try values.encode(numbers, forKey: .numbers)
    try values.encode(chosen, forKey: .chosen)
    try values.encodeIfPresent(email, forKey: .email)
  }
}
