public import FobBase
public import WireProtocol

/// What a session brings about at one moment. The frames go to the line first, in their order, then
/// the inputs to the core.
public struct HostOutput: Sendable {
  /// For the line, in the order in which they are sent.
  public var frames: [WireFrame] = []
  /// For the core, in order, once the frames are with the line.
  public var inputs: [CoreInput] = []
  /// For who watches the link; nothing else follows from them.
  public var events: [LinkEvent] = []
}

/// What watchers of a link are told.
public enum LinkEvent: Sendable {
  /// LED_STATE, or a HEARTBEAT that says another light than the last.
  case light(Light)
  case position(PositionFix)
  /// An entry of the device's trace ring, read once.
  case traced(TraceEntry, DeviceID, TimeSync.Fit)
  /// HELLO names a version that this host does not speak; in words.
  case versionTrouble(String)
  /// The device did not understand a frame of this host.
  case rejected(Reject)
  /// An episode of noise that is over, or has lasted ten seconds.
  case noise(NoiseSummary)
  case contest(ConflictSummary)
  /// Nothing has answered HELLO for three seconds since the opening.
  case unanswered

  /// What the keychain shows and whether it sounds.
  public struct Light: Equatable, Sendable {
    /// Nil: a state that this version does not know.
    public let shown: ShownState?
    /// The keychain's sounder is switched on.
    public let sounder: Bool

    /// - Parameter shown: nil for a state that this version does not know.
    public init(shown: ShownState?, sounder: Bool) {
      self.shown = shown
      self.sounder = sounder
    }
  }
}
