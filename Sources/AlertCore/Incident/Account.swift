public typealias ContactID = String

/// Whose keychain it is, and who is told.
public struct Account: Codable, Equatable, Sendable {
  public var name: String
  /// As in "has activated her keychain alarm" (G19).
  public var possessive: String
  /// IANA name of the zone in which times are told.
  public var zone: String
  public var contacts: [Contact]
  /// As crypt(5) writes it; nil where no PIN is set. Checked outside the core.
  public var pinHash: String?
  public var places: [Place]

  public init(
    name: String, possessive: String = "their", zone: String = "UTC", contacts: [Contact],
    pinHash: String? = nil, places: [Place] = []
  ) {
    self.name = name
    self.possessive = possessive
    self.zone = zone
    self.contacts = contacts
    self.pinHash = pinHash
    self.places = places
  }
}

public struct Contact: Codable, Equatable, Sendable {
  public var id: ContactID
  public var name: String
  public var address: String

  public init(id: ContactID, name: String, address: String) {
    self.id = id
    self.name = name
    self.address = address
  }
}

/// A named place: the nearest one within its reach is told beside the coordinates (G19).
public struct Place: Codable, Equatable, Sendable {
  public var name: String
  /// 1e-7 degree.
  public var latitude: Int32
  public var longitude: Int32

  public init(name: String, latitude: Int32, longitude: Int32) {
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
  }
}
