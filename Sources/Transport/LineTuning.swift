public import SerialIO

/// What is asked of the system for a device's line, beside what it needs to work.
public struct LineTuning: Hashable, Sendable {
  /// Of its reader's thread.
  public var scheduling: ThreadScheduling
  /// Serial ports hand bytes on at once, where their driver can (`PortLatency`).
  public var isLowLatency: Bool

  public static let standard = LineTuning()

  public init(scheduling: ThreadScheduling = .standard, isLowLatency: Bool = false) {
    self.scheduling = scheduling
    self.isLowLatency = isLowLatency
  }
}
