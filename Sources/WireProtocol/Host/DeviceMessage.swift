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
    let plain = frame.head.major == FrameHead.version && !frame.head.hasReservedBits
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
}

/// Frames that are no event, or not of this version.
extension DeviceMessage {
  static func notPlain(_ frame: ReceivedFrame) -> DeviceMessage {
    let reason = frame.head.major == FrameHead.version ? Reject.Reason.reservedBits : .version
    return .refused(frame.refused(reason))
  }

  static func known(_ type: MessageType, _ frame: ReceivedFrame) -> DeviceMessage {
    switch type {
    case .hello:
      switch frame.read(Hello.self) {
      case .value(let hello):
        return hello.role == .host ? .echo(session: hello.session) : .hello(hello)
      case .refused(let reject): return .refused(reject)
      }
    case .timeResponse: return read(frame) { .time($0) }
    case .heartbeat: return read(frame) { .heartbeat($0) }
    case .reject: return read(frame) { .rejected($0) }
    case .ledState: return read(frame) { .ledState($0) }
    case .battery: return read(frame) { .battery($0) }
    case .gpsFix: return read(frame) { .position($0) }
    case .configResult: return read(frame) { .configResult($0) }
    case .firmwareInfo: return frame.payload.isEmpty ? .echo(session: nil) : .firmwareInfo
    case .trace:
      guard frame.payload.count >= TraceFrame.size else {
        return .refused(frame.refused(.tooShort))
      }
      return frame.payload.count == TraceFrame.size ? .nothing : .trace
    case .log: return frame.payload.isEmpty ? .refused(frame.refused(.tooShort)) : .log
    case .nmeaRaw: return .nmeaRaw
    case .timeRequest: return echo(frame) { (request: TimeRequest) in request.session }
    case .indicate: return echo(frame) { (indicate: Indicate) in indicate.session }
    case .eventAck, .ledSet, .config: return .echo(session: nil)
    case .event: return .nothing
    }
  }

  static func echo<P: Payload>(
    _ frame: ReceivedFrame, _ session: (P) -> UInt32
  ) -> DeviceMessage {
    if case .value(let value) = frame.read(P.self) { return .echo(session: session(value)) }
    return .echo(session: nil)
  }

  static func read<P: Payload>(
    _ frame: ReceivedFrame, _ message: (P) -> DeviceMessage
  ) -> DeviceMessage {
    switch frame.read(P.self) {
    case .value(let value): return message(value)
    case .refused(let reject): return P.type == .reject ? .nothing : .refused(reject)
    }
  }
}
