public import NMEA

extension Coordinates {
  /// The Royal Observatory, Greenwich: where a keychain is that was told nothing.
  public static let observatory = Coordinates(latitude: 514_778_000, longitude: -15_000)!

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
