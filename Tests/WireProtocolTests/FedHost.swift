import FobBase
import WireProtocol

/// The host's end of the link, fed by hand, with time in milliseconds. A class, since `#expect`
/// calls no mutating method.
@dynamicMemberLookup
final class FedHost {
  static let session: UInt32 = 0x5E55_1001
  static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)

  private var link = HostLink(
    session: FedHost.session, software: FedHost.software, at: .milliseconds(0))
  /// Of the device's next frame; one left out is a frame that was lost.
  var sequence: UInt16 = 0
  private(set) var lastPayload: [UInt8] = []
  /// Every frame that it gave, as on the wire.
  private(set) var wire: [UInt8] = []

  subscript<T>(dynamicMember member: KeyPath<HostLink, T>) -> T { link[keyPath: member] }

  /// Everything that `bytes` says, but for `.nothing`.
  @discardableResult
  func receive(_ bytes: [UInt8], at ms: Int64) -> [DeviceMessage] {
    receive(bytes, at: Instant.milliseconds(ms))
  }

  @discardableResult
  func receive(_ bytes: [UInt8], at now: Instant) -> [DeviceMessage] {
    var messages: [DeviceMessage] = []
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let message = link.next(&rest, at: now) {
        lastPayload = link.withPayload { Array($0) }
        if case .nothing = message { continue }
        messages.append(message)
      }
    }
    return messages
  }

  @discardableResult
  func receive<P: Payload>(_ payload: P, at ms: Int64) -> [DeviceMessage] {
    defer { sequence &+= 1 }
    return receive(RawFrame.bytes(payload, sequence: sequence), at: ms)
  }

  /// Every frame that is due.
  @discardableResult
  func send(at ms: Int64) -> [SentFrame] { send(at: .milliseconds(ms)) }

  @discardableResult
  func send(at now: Instant) -> [SentFrame] {
    var frames: [SentFrame] = []
    while let frame = link.nextFrame(at: now) {
      wire += frame.bytes
      frames.append(SentFrame(frame))
    }
    return frames
  }

  func sendRaw<P: Payload>(_ payload: P, at ms: Int64) {
    wire += link.frame(payload, at: .milliseconds(ms)).bytes
  }

  func askFirmwareInfo(at ms: Int64) {
    wire += link.firmwareInfoRequest(at: .milliseconds(ms)).bytes
  }

  func indicate(_ indication: Indication, at ms: Int64) {
    link.indicate(indication, at: .milliseconds(ms))
  }

  func noiseSummary(at ms: Int64) -> NoiseSummary? { link.noiseSummary(at: .milliseconds(ms)) }

  func contestSummary() -> ConflictSummary? { link.contestSummary() }

  /// Runs from `start` as a bridge would, by `nextWake` alone; all frames, with their times in ms.
  func run(from start: Int64, to end: Int64) -> [(at: Int64, frame: SentFrame)] {
    var sent: [(Int64, SentFrame)] = []
    var now = Instant.milliseconds(start)
    while now <= .milliseconds(end) {
      for frame in send(at: now) { sent.append((now.microseconds / 1_000, frame)) }
      _ = link.noiseSummary(at: now)
      precondition(link.nextWake > now, "woken for nothing")
      now = link.nextWake
    }
    return sent
  }

  /// Opens the session with the device of this boot nonce.
  func linkUp(bootNonce: UInt32 = 0xB007_0001, at ms: Int64 = 0) {
    send(at: ms)
    receive(Hello.device(session: link.session, bootNonce: bootNonce), at: ms)
  }
}

extension Instant {
  static func milliseconds(_ n: Int64) -> Instant { Instant(microseconds: n * 1_000) }
}

extension Hello {
  static func device(session: UInt32, bootNonce: UInt32 = 0xB007_0001) -> Hello {
    var hello = Hello(role: .device, session: session, software: FedHost.software)
    hello.deviceID = .bench(1)
    hello.bootCounter = 1
    hello.bootNonce = bootNonce
    return hello
  }
}

extension Heartbeat {
  static func after(ms: UInt64) -> Heartbeat {
    var beat = Heartbeat()
    beat.uptime = ms * 1_000
    return beat
  }
}

extension DeviceMessage {
  /// The message in a word or two, to be compared.
  var name: String {
    switch self {
    case .hello: "hello"
    case .event(let record): "event \(record.identity.rawKind)"
    case .barePress: "bare press"
    case .heartbeat: "heartbeat"
    case .time: "time"
    case .ledState: "led"
    case .battery: "battery"
    case .position: "position"
    case .configResult: "config"
    case .trace: "trace"
    case .log: "log"
    case .firmwareInfo: "info"
    case .nmeaRaw: "nmea"
    case .proof: "proof"
    case .pairResult: "pair result"
    case .rejected: "rejected"
    case .refused(let reject): "refused: \(reject.reason)"
    case .echo: "echo"
    case .nothing: "nothing"
    }
  }
}

extension [DeviceMessage] {
  var names: [String] { map(\.name) }
}
