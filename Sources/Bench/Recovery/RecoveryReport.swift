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

/// How soon a receiver is in step again after one byte of a stream was hit: from then to the end of
/// the first good frame behind it, and how many bytes it passed over till then.
///
/// Bytes are counted from the moment that it is made; places are those of the stream as it arrives.
public struct ResyncMeter: Sendable {
  public struct Resync: Codable, Equatable, Sendable {
    /// µs.
    public var time: Int64
    /// Of frames that were refused.
    public var bytes: Int

    public init(time: Int64, bytes: Int) { (self.time, self.bytes) = (time, bytes) }
  }

  private let place: Int
  private let pause: Int64
  private var arrived = 0
  private var arrivedAt: Int64 = 0
  private var struckAt: Int64?
  private var lastEnd = 0
  private var passedOver = 0
  public private(set) var resync: Resync?

  /// - Parameters:
  ///   - place: the byte that is hit, the next one being 0.
  ///   - pause: how long the fault keeps it back, µs: it is struck so much before it arrives.
  public init(place: Int, pause: Int64 = 0) {
    self.place = place
    self.pause = pause
  }

  /// More bytes have come; the frames that end in them are told next.
  public mutating func arrived(_ count: Int, at now: Int64) {
    arrived += count
    arrivedAt = now
    if struckAt == nil, arrived > place { struckAt = now - pause }
  }

  /// A frame has ended.
  /// - Parameter rest: how many of the bytes that have come are behind it.
  public mutating func ended(isGood: Bool, before rest: Int) {
    let end = arrived - rest
    defer { lastEnd = end }
    guard resync == nil else { return }
    if !isGood { passedOver += end - lastEnd }
    guard isGood, end > place, let struckAt else { return }
    resync = Resync(time: max(0, arrivedAt - struckAt), bytes: passedOver)
  }
}
