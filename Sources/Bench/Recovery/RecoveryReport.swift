/// What `fob bench recovery` has found: what its JSON holds.
public struct RecoveryReport: Codable, Equatable, Sendable {
  /// One kind of trouble, over all its repetitions.
  public struct Row: Codable, Equatable, Sendable {
    public var trouble: String
    /// Until the first good frame, or until linked, µs; nil where it never recovered.
    public var time: Spread?
    /// Bytes passed over; nil where the line itself had gone.
    public var bytes: Spread?
    /// Repetitions after which nothing was well again within patience.
    public var unrecovered = 0

    public init(
      _ trouble: String, times: [Int64], bytes: [Int64] = [], of repetitions: Int
    ) {
      self.trouble = trouble
      time = Spread(times)
      self.bytes = Spread(bytes)
      unrecovered = repetitions - times.count
    }
  }

  public var seed: UInt64
  public var repetitions: Int
  public var rows: [Row] = []
  /// Presses that the keychain had stored, those of them that the core has not, and those twice.
  public var presses = 0
  public var lost = 0
  public var doubled = 0

  public init(seed: UInt64, repetitions: Int) {
    self.seed = seed
    self.repetitions = repetitions
  }

  /// Everything recovered, and every press became one entry.
  public var isWell: Bool {
    lost == 0 && doubled == 0 && rows.allSatisfy { $0.unrecovered == 0 }
  }
}
