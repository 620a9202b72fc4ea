public import FobBase

/// The light went on or off.
public struct LightEdge: Hashable, Sendable {
  public var isOn: Bool
  /// CLOCK_BOOTTIME of the host.
  public var at: Instant

  public init(isOn: Bool, at: Instant) {
    self.isOn = isOn
    self.at = at
  }
}
