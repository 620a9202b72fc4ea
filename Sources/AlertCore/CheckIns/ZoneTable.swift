/// The offsets of one time zone over some years: the core has no zone database, so the bridge hands
/// this in.
public struct ZoneTable: Equatable, Sendable {
  /// From a moment on local time is ahead of UTC by `offset`.
  public struct Transition: Equatable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    public let at: Int64
    /// Seconds; negative west of Greenwich.
    public let offset: Int32

    /// The local time changes to `offset` at that moment.
    public init(at: Int64, offset: Int32) {
      self.at = at
      self.offset = offset
    }
  }

  /// The offset before the first transition, seconds.
  public let first: Int32
  /// In the order of time.
  public let transitions: [Transition]

  /// `transitions` must be in the order of time.
  public init(first: Int32, transitions: [Transition] = []) {
    self.first = first
    self.transitions = transitions
  }

  /// Local time is UTC.
  public static let utc = ZoneTable(first: 0)
}
