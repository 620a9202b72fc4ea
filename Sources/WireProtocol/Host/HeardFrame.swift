/// A device's frame, classified but not yet acted on.
enum HeardFrame {
  case hello(Hello)
  case time(TimeResponse)
  case heartbeat(Heartbeat)
  case report(DeviceReport)
  /// Of a kind that only a host sends; with the session that it names.
  case echo(UInt32?)
  case ignored

  init(_ frame: ReceivedFrame) {
    let type = MessageType(rawValue: frame.rawType)
    let plain = frame.head.major == FrameHead.version && !frame.head.hasReservedBits
    if type == .event {
      self = Self.event(frame, plain: plain)
    } else if !plain {
      self = type == .reject ? .ignored : Self.notPlain(frame)
    } else if let type {
      self = Self.known(type, frame)
    } else {
      self =
        MessageType.isOptional(frame.rawType)
        ? .ignored : .report(.refused(frame.refused(.unknownType)))
    }
  }

  private static func notPlain(_ frame: ReceivedFrame) -> HeardFrame {
    let reason = frame.head.major == FrameHead.version ? Reject.Reason.reservedBits : .version
    return .report(.refused(frame.refused(reason)))
  }

  /// A press is read as long as its frozen part is there, whatever else is wrong.
  private static func event(_ frame: ReceivedFrame, plain: Bool) -> HeardFrame {
    if plain, case .value(let record) = frame.read(EventRecord.self) {
      return .report(.event(record))
    }
    if let press = frame.frozenPress { return .report(.barePress(press)) }
    return plain ? tooShort(frame) : notPlain(frame)
  }

  private static func tooShort(_ frame: ReceivedFrame) -> HeardFrame {
    .report(.refused(frame.refused(.tooShort)))
  }

  private static func known(_ type: MessageType, _ frame: ReceivedFrame) -> HeardFrame {
    switch type {
    case .hello:
      switch frame.read(Hello.self) {
      case .value(let hello): return hello.role == .host ? .echo(hello.session) : .hello(hello)
      case .refused(let reject): return .report(.refused(reject))
      }
    case .timeResponse: return read(frame) { .time($0) }
    case .heartbeat: return read(frame) { .heartbeat($0) }
    case .reject: return read(frame) { .report(.rejected($0)) }
    case .ledState: return read(frame) { .report(.ledState($0)) }
    case .battery: return read(frame) { .report(.battery($0)) }
    case .gpsFix: return read(frame) { .report(.position($0)) }
    case .configResult: return read(frame) { .report(.configResult($0)) }
    case .firmwareInfo: return frame.payload.isEmpty ? .echo(nil) : .report(.firmwareInfo)
    case .trace:
      guard frame.payload.count >= TraceFrame.size else { return tooShort(frame) }
      return frame.payload.count == TraceFrame.size ? .ignored : .report(.trace)
    case .log: return frame.payload.isEmpty ? tooShort(frame) : .report(.log)
    case .nmeaRaw: return .report(.nmeaRaw)
    case .timeRequest: return echo(frame) { (request: TimeRequest) in request.session }
    case .indicate: return echo(frame) { (indicate: Indicate) in indicate.session }
    case .eventAck, .ledSet, .config: return .echo(nil)
    case .event: return .ignored
    }
  }

  private static func echo<P: Payload>(
    _ frame: ReceivedFrame, _ session: (P) -> UInt32
  ) -> HeardFrame {
    if case .value(let value) = frame.read(P.self) { return .echo(session(value)) }
    return .echo(nil)
  }

  private static func read<P: Payload>(
    _ frame: ReceivedFrame, _ heard: (P) -> HeardFrame
  ) -> HeardFrame {
    switch frame.read(P.self) {
    case .value(let value): return heard(value)
    case .refused(let reject):
      return P.type == .reject ? .ignored : .report(.refused(reject))
    }
  }
}
