/// A bridge on a host of its own, which feeds the core of another.
public struct RemoteBridgeSite: Equatable, Sendable {
  /// Whose core it feeds.
  public var host: Int
  /// These are plugged into it where others are plugged into that host.
  public var keychains: Set<Int>
  /// Parts per million, of its clock.
  public var drift: Int32

  public init(host: Int, keychains: Set<Int>, drift: Int32) {
    self.host = host
    self.keychains = keychains
    self.drift = drift
  }
}
