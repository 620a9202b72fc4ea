/// The findings of `fob bench recovery`: the content of its JSON.
public struct RecoveryReport: Codable, Equatable, Sendable {
  /// One kind of trouble, over all its repetitions.
  public struct Row: Codable, Equatable, Sendable {
    /// The kind of trouble, in words.
    public var trouble: String
    /// Time until the first good frame, or until linked, µs; nil where it never recovered.
    public var time: Spread?
    /// Bytes passed over; nil for troubles in which the line itself goes.
    public var bytes: Spread?
    /// Repetitions that did not recover in the time allowed.
    public var unrecovered = 0

    /// - Parameters:
    ///   - trouble: what was done to the line, in words.
    ///   - times: µs, one for each repetition that recovered.
    ///   - bytes: passed over, in those repetitions.
    ///   - repetitions: all of them.
    public init(
      _ trouble: String, times: [Int64], bytes: [Int64] = [], of repetitions: Int
    ) {
      self.trouble = trouble
      time = Spread(times)
      self.bytes = Spread(bytes)
      unrecovered = repetitions - times.count
    }
  }

  /// The same seed gives the same troubles again.
  public var seed: UInt64
  /// How many times each trouble was made.
  public var repetitions: Int
  /// One for each kind of trouble.
  public var rows: [Row] = []
  /// Presses that the keychain had stored.
  public var presses = 0
  /// Stored presses that the core does not have.
  public var lost = 0
  /// Presses that the core has more than once, by the number of surplus entries.
  public var doubled = 0

  /// Begins without rows and presses.
  public init(seed: UInt64, repetitions: Int) {
    self.seed = seed
    self.repetitions = repetitions
  }

  /// Everything recovered, and every press became one entry.
  public var isWell: Bool {
    lost == 0 && doubled == 0 && rows.allSatisfy { $0.unrecovered == 0 }
  }
}

/// Measures how soon a receiver is in step again after one byte of a stream was hit: the time from
/// then to the end of the first good frame behind it, and the bytes passed over until then.
///
/// Places in the stream count from the meter's creation, in the order of arrival.
public struct ResyncMeter: Sendable {
  /// One recovery.
  public struct Resync: Codable, Equatable, Sendable {
    /// From the hit to the end of the first good frame behind it, µs; at least 0.
    public var time: Int64
    /// Bytes of the refused frames until then.
    public var bytes: Int

    /// `time` is in µs.
    public init(time: Int64, bytes: Int) { (self.time, self.bytes) = (time, bytes) }
  }

  private let place: Int
  private let pause: Int64
  private var arrived = 0
  private var arrivedAt: Int64 = 0
  private var struckAt: Int64?
  private var lastEnd = 0
  private var passedOver = 0
  /// Nil until a good frame has ended behind the byte that was hit.
  public private(set) var resync: Resync?

  /// - Parameters:
  ///   - place: the byte that is hit; the next byte to arrive is 0.
  ///   - pause: how long the fault holds the byte back, µs: the hit is this much before its
  ///     arrival.
  public init(place: Int, pause: Int64 = 0) {
    self.place = place
    self.pause = pause
  }

  /// More bytes have come, at `now` in µs. Report the frames that end in them next.
  public mutating func arrived(_ count: Int, at now: Int64) {
    arrived += count
    arrivedAt = now
    if struckAt == nil, arrived > place { struckAt = now - pause }
  }

  /// A frame has ended; `rest` is how many of the bytes that have come are behind its end.
  public mutating func ended(isGood: Bool, before rest: Int) {
    let end = arrived - rest
    defer { lastEnd = end }
    guard resync == nil else { return }
    if !isGood { passedOver += end - lastEnd }
    guard isGood, end > place, let struckAt else { return }
    resync = Resync(time: max(0, arrivedAt - struckAt), bytes: passedOver)
  }
}
