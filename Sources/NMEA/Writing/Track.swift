/// A receiver that moves by the same step at each epoch, for ever. It goes round the globe from
/// west to east or back; at a pole it stays at that latitude.
public struct Track: Sendable, Equatable {
  /// The present point. The receiver states its speed and course as they are: nothing compares them
  /// with the step.
  public var point: ReceiverState
  /// Change of latitude with each step, in 1e-7 degree, -1e9 to 1e9.
  public var north: Int32
  /// Change of longitude with each step, in 1e-7 degree, -1e9 to 1e9.
  public var east: Int32
  /// Time between two steps, in milliseconds, at most one day.
  public var interval: UInt32

  /// Numbers beyond their range become the nearest within it.
  public init(
    from point: ReceiverState, north: Int32 = 0, east: Int32 = 0, interval: UInt32 = 1_000
  ) {
    self.point = point
    self.north = min(max(north, -1_000_000_000), 1_000_000_000)
    self.east = min(max(east, -1_000_000_000), 1_000_000_000)
    self.interval = min(interval, UTC.millisecondsPerDay)
  }

  /// Moves the point by one step, and its time and day by the interval.
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
