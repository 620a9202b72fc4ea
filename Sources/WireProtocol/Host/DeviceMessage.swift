/// A frame on a device's line, as the host reads it. `HostLink.next` returns those that matter to
/// its caller, and `nothing` in place of the others.
public enum DeviceMessage: Sendable {
  /// Returned only where it opens the session: this device, this boot.
  case hello(Hello)
  case event(EventRecord)
  /// A press whose frozen 29 bytes are all that could be read: another major version, reserved
  /// bits, or a payload cut short. It still raises the alarm.
  case barePress(EventIdentity)
  case heartbeat(Heartbeat)
  /// Returned only where the device's clock was fitted by it.
  case time(TimeResponse)
  case ledState(LEDState)
  case battery(BatteryReading)
  case position(PositionFix)
  case configResult(ConfigResult)
  /// A payload of variable length, to be read with `HostLink.withPayload` before the next call.
  case trace
  case log
  case firmwareInfo
  case nmeaRaw
  /// The device has proved that it has the key of this host: a sealed session begins.
  case proof(Proof)
  case pairResult(PairResult)
  /// The device did not understand a frame of this host.
  case rejected(Reject)
  /// To be answered with this REJECT; at most 16 are returned within a second.
  case refused(Reject)
  /// A frame of a kind that only a host sends, with the session that it names; nil where it names
  /// none. Never returned.
  case echo(session: UInt32?)
  /// Damage, an echo, or a frame that says nothing to a host. `HostLink.noiseSummary` sums up
  /// damage and echoes.
  case nothing

  init(_ frame: ReceivedFrame) {
    let type = MessageType(rawValue: frame.rawType)
    let plain =
      frame.head.major == FrameHead.version && !frame.head.hasReservedBits
      && frame.head.isSealed == (frame.trailer != nil)
    if type == .event {
      // A press is read as long as its frozen bytes are there, whatever else is wrong.
      if plain, case .value(let record) = frame.read(EventRecord.self) {
        self = .event(record)
      } else if let press = frame.frozenPress {
        self = .barePress(press)
      } else {
        self = plain ? .refused(frame.refused(.tooShort)) : Self.notPlain(frame)
      }
    } else if !plain {
      self = type == .reject ? .nothing : Self.notPlain(frame)
    } else if let type {
      self = Self.known(type, frame)
    } else {
      self =
        MessageType.isOptional(frame.rawType) ? .nothing : .refused(frame.refused(.unknownType))
    }
  }

  /// Whether this is heard also where a key says that only sealed frames count: events, which carry
  /// a tag of their own, and what a sealed session begins with.
  var isHeardFromAnybody: Bool {
    switch self {
    case .hello, .proof, .rejected, .refused, .barePress, .event: true
    // That a key was taken away is the last word of a sealed session.
    case .pairResult(let result): result.outcome != .unpaired
    default: false
    }
  }

  /// Whether a sealed frame of this type is read by a host without a key: an event is heard from
  /// anybody, and a REJECT is never answered.
  static func isOpen(_ rawType: UInt8) -> Bool {
    rawType == MessageType.event.rawValue || rawType == MessageType.reject.rawValue
  }
}
