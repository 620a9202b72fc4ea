import FobBase
import WireProtocol

extension Position {
  /// A fix as the device reports it; nil without a position.
  init?(_ fix: PositionFix, at now: Timestamp) {
    guard fix.quality != .none, Self.isOnEarth(fix.latitude, fix.longitude) else { return nil }
    self.init(
      latitude: fix.latitude, longitude: fix.longitude, quality: fix.quality.rawValue,
      wall: now.wall)
  }
}
