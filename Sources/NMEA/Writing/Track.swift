/// A receiver that moves by the same step at each epoch: north and east for ever, round the globe,
/// along the parallel of a pole that it has reached.
public struct Track: Sendable, Equatable {
  /// The present point. Its speed and course are what the receiver will say; they are not held
  /// against the step.
  public var point: ReceiverState
  /// Of each step, in 1e-7 degree, -1e9 to 1e9.
  public var north: Int32
  public var east: Int32
  /// Of each step, in milliseconds, at most one day.
  public var interval: UInt32

  public init(
    from point: ReceiverState, north: Int32 = 0, east: Int32 = 0, interval: UInt32 = 1_000
  ) {
    self.point = point
    self.north = min(max(north, -1_000_000_000), 1_000_000_000)
    self.east = min(max(east, -1_000_000_000), 1_000_000_000)
    self.interval = min(interval, UTC.millisecondsPerDay)
  }

  public mutating func advance() {
    let latitude = point.coordinates.latitude + north
    point.coordinates =
      Coordinates(
        latitude: min(max(latitude, -900_000_000), 900_000_000),
        longitude: wrapped(Int64(point.coordinates.longitude) + Int64(east)))
      ?? point.coordinates
    point.time += interval
    while point.time >= UTC.millisecondsPerDay {
      point.time -= UTC.millisecondsPerDay
      point.day += 1
    }
  }

  private func wrapped(_ longitude: Int64) -> Int32 {
    if longitude > 1_800_000_000 { return Int32(longitude - 3_600_000_000) }
    if longitude < -1_800_000_000 { return Int32(longitude + 3_600_000_000) }
    return Int32(longitude)
  }
}
