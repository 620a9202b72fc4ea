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
    case .proof: return read(frame) { .proof($0) }
    case .pairResult: return read(frame) { .pairResult($0) }
    case .timeRequest: return echo(frame) { (request: TimeRequest) in request.session }
    case .indicate: return echo(frame) { (indicate: Indicate) in indicate.session }
    case .challenge: return echo(frame) { (challenge: Challenge) in challenge.session }
    case .eventAck, .ledSet, .config, .pair, .unpair: return .echo(session: nil)
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
