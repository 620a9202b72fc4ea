/// One press that was measured: its stamps in µs on the host's boot clock, nil where it was not
/// seen.
public struct LatencySample: Codable, Equatable, Sendable {
  /// When the schedule wanted the first edge; nil for a press made by hand.
  public var due: Int64?
  /// t0: the first edge of the contact (docs/explanation/time.md names t0 to t5).
  public var edge: Int64?
  /// tc: the firmware has stored the press.
  public var stored: Int64?
  /// t1: the keychain has written the frame.
  public var written: Int64?
  /// t2: the bridge's read has returned.
  public var read: Int64?
  /// t3: the engine has decided.
  public var decided: Int64?
  /// t4: the press is durable.
  public var durable: Int64?
  /// t5: the keychain has the ack.
  public var acked: Int64?
  /// The light says "accepted".
  public var lit: Int64?
  /// The processor's work on its commit, µs; the commit may have held other presses, too.
  public var committing: Int64?
  /// ± µs on every stamp of the device.
  public var uncertainty: Int64?

  /// Knows no stamp yet.
  public init() {}

  /// How long the stage took, µs; two clocks can make it negative. Nil where a stamp is missing.
  public func duration(of stage: LatencyStage) -> Int64? {
    let (from, to): (Int64?, Int64?) =
      switch stage {
      case .debounce: (edge, stored)
      case .frame: (stored, written)
      case .wire: (written, read)
      case .decide: (read, decided)
      case .durable: (decided, durable)
      case .durableWork: (committing.map { _ in 0 }, committing)
      case .ack: (durable, acked)
      case .light: (acked, lit)
      case .pressToDecided: (edge, decided)
      case .pressToDurable: (edge, durable)
      case .pressToLED: (edge, lit)
      case .writtenToDecided: (written, decided)
      case .writtenToDurable: (written, durable)
      }
    guard let from, let to else { return nil }
    return to - from
  }
}
