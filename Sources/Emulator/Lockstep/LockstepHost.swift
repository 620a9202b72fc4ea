import FobBase
import WireProtocol

/// A host that says something of everything, and acks what it has heard of when it feels like it.
struct LockstepHost {
  private var random: SplitMix64
  private var decoder = FrameDecoder()
  private var heard: [EventIdentity] = []
  private var session: UInt32 = 0
  private var revision: UInt32 = 0
  private var sequence: UInt16 = 0

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  mutating func hear(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var chunk = UnsafeRawBufferPointer(bytes)
      while let outcome = decoder.next(&chunk) {
        guard outcome == .frame else { continue }
        let identity: EventIdentity? = decoder.withBody { body in
          guard body.count >= 4 + EventIdentity.size, body[1] == MessageType.event.rawValue
          else { return nil }
          return EventIdentity(UnsafeRawBufferPointer(rebasing: body[4...]))
        }
        if let identity, !heard.contains(identity) { heard.append(identity) }
      }
    }
  }

  /// A frame, now and then one that is damaged or unknown; less than a board's queue holds.
  mutating func say(clock: Int) -> [UInt8] {
    var bytes = frame(clock: clock)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << 3
    case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case 2: bytes = Array("AT\r\n".utf8) + bytes
    default: break
    }
    return bytes
  }

  private mutating func frame(clock: Int) -> [UInt8] {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...1:
      session = .random(in: 1 ... .max, using: &random)
      revision = 0
      return wire(
        Hello(
          role: .host, session: session,
          software: SoftwareVersion(major: 0, minor: 1, patch: 0)))
    case 2...3: return wire(TimeRequest(hostSend: UInt64(clock) * 1_000, session: session))
    case 4...7:
      guard let index = heard.indices.randomElement(using: &random) else { fallthrough }
      return wire(EventAck(heard.remove(at: index)))
    case 8...9: return wire(indicate())
    case 10:
      let key: ConfigKey = Bool.random(using: &random) ? .debounce : .logLevel
      return wire(Config(key: key, value: .random(in: 0...60, using: &random)))
    case 11: return wire(TraceFrame(first: .random(in: 0...40, using: &random)))
    case 12:
      return wire(
        LEDSet(state: .identify, detail: 0, duration: .random(in: 1...900, using: &random)))
    default:
      sequence &+= 1
      let type: MessageType = Bool.random(using: &random) ? .firmwareInfo : .log
      return wire(FrameBody(type: type, sequence: sequence))
    }
  }

  private mutating func indicate() -> Indicate {
    revision &+= .random(in: 0...2, using: &random)
    let state = ShownState(rawValue: .random(in: 0...10, using: &random)) ?? .idle
    return Indicate(
      session: session, incident: .random(in: 0...3, using: &random), revision: revision,
      state: state, detail: .random(in: 0...90, using: &random),
      sounder: .random(using: &random), lease: .random(in: 50...2_000, using: &random))
  }

  private mutating func wire<P: Payload>(_ payload: P) -> [UInt8] {
    sequence &+= 1
    return wire(FrameBody(payload, sequence: sequence))
  }

  private func wire(_ body: FrameBody) -> [UInt8] { WireFrame(body).withBytes { Array($0) } }
}
