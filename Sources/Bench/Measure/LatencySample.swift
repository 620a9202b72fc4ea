/// One press that was measured: its stamps in µs on the host's boot clock, nil where it was not
/// seen.
public struct LatencySample: Codable, Equatable, Sendable {
  /// When the schedule wanted the first edge; nil for a press made by hand.
  public var due: Int64?
  /// t0 … t5 and the light, as performance.md names them.
  public var edge: Int64?
  public var stored: Int64?
  public var written: Int64?
  public var read: Int64?
  public var decided: Int64?
  public var durable: Int64?
  public var acked: Int64?
  public var lit: Int64?
  /// What the processor worked on its commit, µs; other presses may have been in that, too.
  public var committing: Int64?
  /// ± µs on every stamp of the device.
  public var uncertainty: Int64?

  public init() {}

  /// µs, or nil where one of the two stamps is missing.
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
