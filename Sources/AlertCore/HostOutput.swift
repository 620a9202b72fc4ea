public import FobBase
public import WireProtocol

/// The effects of a session at one moment. The frames go to the line first, in their order, then
/// the inputs to the core.
public struct HostOutput: Sendable {
  /// For the line, in the order in which they are sent.
  public var frames: [WireFrame] = []
  /// For the core, in order, once the frames are with the line.
  public var inputs: [CoreInput] = []
  /// For a core on another host, which has the keys: frames that the device has sealed, and its
  /// proof. Only a session that relays has any, and they are in no other list.
  public var relayed: [Relayed] = []
  /// For watchers of the link; nothing else depends on them.
  public var events: [LinkEvent] = []

  /// A frame of the device for a core on another host.
  public struct Relayed: Sendable {
    /// As it came, whoever made it.
    public let frame: RelayedFrame
    /// For an event: the first edge on the host's boot clock, µs; nil where no clock fit tells.
    public let happenedAt: ClosedRange<Int64>?
  }
}

/// Something that watchers of a link are told.
public enum LinkEvent: Sendable {
  /// The light has changed: by LED_STATE, or by a HEARTBEAT that differs from the last light.
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
  /// A device with whose id this core is paired has given no proof for three seconds.
  case unproved
  /// What became of `HostSession.ask`.
  case pairing(PairingTalk.End)
  /// A device has shown whether it has taken the key that it was offered in a pairing of which
  /// nobody knew the end.
  case offer(DeviceID, isTaken: Bool)
  /// Nothing has answered HELLO for three seconds since the opening.
  case unanswered

  /// The keychain's light and sounder.
  public struct Light: Equatable, Sendable {
    /// Nil: a state that this version does not know.
    public let shown: ShownState?
    /// The keychain's sounder is switched on.
    public let sounder: Bool

    /// `shown` is nil for a state that this version does not know.
    public init(shown: ShownState?, sounder: Bool) {
      self.shown = shown
      self.sounder = sounder
    }

    /// As a HEARTBEAT says it each second.
    init(_ beat: Heartbeat) {
      self.init(shown: beat.shown, sounder: beat.flags.contains(.sounder))
    }
  }
}
