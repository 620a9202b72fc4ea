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
