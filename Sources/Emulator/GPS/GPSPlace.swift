/// A place on the globe in 1e-7 degree, north and east positive.
public struct GPSPlace: Hashable, Sendable {
  /// The Royal Observatory, Greenwich: where a keychain is that was told nothing.
  public static let observatory = GPSPlace(latitude: 514_778_000, longitude: -15_000)!

  public let latitude: Int32
  public let longitude: Int32

  /// Nil beyond 90 degrees of latitude or 180 of longitude.
  public init?(latitude: Int32, longitude: Int32) {
    guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Degrees; nil for what is not on the globe.
  init?(degrees latitude: Double, _ longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.init(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }

  var degrees: (latitude: Double, longitude: Double) {
    (Double(latitude) / 1e7, Double(longitude) / 1e7)
  }

  /// As in `51.4778,-0.0015`.
  var text: String { "\(degrees.latitude),\(degrees.longitude)" }
}
