/// What one number of keychains cost, and how soon their presses were decided.
public struct LoadStep: Codable, Equatable, Sendable {
  public var keychains: Int
  /// Of the measured stretch.
  public var seconds = 0.0
  /// Presses that a keychain has stored, and of them those that the core has not, or twice.
  public var presses = 0
  public var lost = 0
  public var doubled = 0
  /// Presses that the core has and of which nobody saw when it decided.
  public var unseen = 0
  /// t0 → t3, µs: the debounce time is in it.
  public var pressToDecided: Spread?
  /// tc → t3, µs: from where the firmware has stored the press. No clock is fitted: both ends are
  /// in one process.
  public var storedToDecided: Spread?
  /// How late the keychains were served that were due, µs: p99 and the most; nil where each has a
  /// thread of its own.
  public var lateP99: Int64?
  public var lateMost: Int64?
  /// Processor time of each keychain in each second, µs.
  public var emulatorTime = 0.0
  public var bridgeTime = 0.0
  /// Bytes of each keychain.
  public var emulatorMemory = 0
  public var bridgeMemory = 0
  public var uses: [ResourceUse] = []
  /// Why it could not be tried at all.
  public var refusal: String?

  public init(keychains: Int) { self.keychains = keychains }

  /// - Parameter limit: of the p99 of press to decided, µs; of lateness where nothing was pressed.
  public func isCarried(within limit: Int64) -> Bool {
    guard refusal == nil, lost == 0, doubled == 0 else { return false }
    if presses == 0, let lateP99 { return lateP99 <= limit }
    return pressToDecided.map { $0.p99 <= limit } ?? false
  }
}
