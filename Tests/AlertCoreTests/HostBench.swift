import AlertCore
import FobBase
import WireProtocol

/// A host's session with a keychain's end of the link before it, and time moved by hand. All that
/// goes between them goes as bytes. A class, since `#expect` calls no mutating method.
final class HostBench {
  /// On the host's clock.
  static let booted = Instant(microseconds: 3_000_000)
  static let nonce: UInt32 = 0xB007_0001
  /// How long a frame is under way when clocks are compared.
  static let travel = Interval.microseconds(100)

  var host = HostSession(
    line, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
  private var device = DeviceLink()
  private(set) var now = HostBench.booted + .seconds(60)
  /// What the keychain was asked, and not yet looked at.
  private var requests: [HostRequest] = []
  /// What watchers were told.
  private(set) var events: [LinkEvent] = []

  var traced: [(entry: TraceEntry, device: DeviceID, fit: TimeSync.Fit)] {
    events.compactMap { event in
      guard case .traced(let entry, let device, let fit) = event else { return nil }
      return (entry, device, fit)
    }
  }

  /// Of the keychain, µs since its boot.
  var deviceClock: UInt64 { UInt64((now - Self.booted).microseconds) }

  // MARK: The line

  func open(session: UInt32 = 7, indication: Indication = Indication(state: .idle)) {
    device = DeviceLink()
    host.opened(session: session, nonce: 7, indication: indication, at: now)
  }

  func close() -> String? { host.gone(reason: "unplugged").inputs.first?.words }

  /// Opened, and HELLO answered.
  func link(_ id: DeviceID = keychain) {
    open()
    wake()
    answerHello(id)
    requests = []
  }

  /// And clocks compared.
  func linkFitted() {
    link()
    compareClocks()
  }

  @discardableResult
  func answerHello(_ id: DeviceID = keychain) -> [String] {
    say(hello(id))
  }

  func hello(_ id: DeviceID) -> Hello {
    var hello = Hello.from(id)
    hello.session = device.session
    hello.bootNonce = Self.nonce
    return hello
  }

  /// One clock exchange, so that there is a fit: the next of a burst.
  func compareClocks() {
    wake(after: .milliseconds(20))
    let asked = requests.compactMap { if case .time(let request) = $0 { request } else { nil } }
    requests = []
    now = now + Self.travel
    let clock = deviceClock
    now = now + Self.travel
    guard let request = asked.last else { return }
    say(TimeResponse(to: request, receive: clock, send: clock, bootNonce: Self.nonce))
  }

  // MARK: From the keychain

  /// One frame in one read.
  /// - Returns: what the core is told.
  @discardableResult
  func say(_ payload: some Payload) -> [String] { hear(bytes(payload)).map(\.words) }

  @discardableResult
  func sayTrace(from first: UInt32, _ entries: [TraceEntry]) -> [String] {
    hear(traceBytes(from: first, entries)).map(\.words)
  }

  func bytes(_ payload: some Payload) -> [UInt8] { device.frame(payload, at: now).bytes }

  func traceBytes(from first: UInt32, _ entries: [TraceEntry]) -> [UInt8] {
    device.frame(.trace, at: now) { body in
      body.append(first)
      for entry in entries { entry.write(to: &body) }
    }.bytes
  }

  /// One read, and what is due behind it.
  @discardableResult
  func hear(_ bytes: [UInt8]) -> [CoreInput] {
    let heard = perform(bytes.withUnsafeBytes { host.receive($0, at: now) })
    guard let due = host.nextWake, due <= now else { return heard }
    return heard + perform(host.wake(at: now))
  }

  // MARK: From the host

  /// What the clock brings after `pause`.
  /// - Returns: what the core is told.
  @discardableResult
  func wake(after pause: Interval = .zero) -> String? {
    now = now + pause
    return perform(host.wake(at: now)).first?.words
  }

  @discardableResult
  func acknowledge(_ record: EventRecord) -> Bool {
    guard let frame = host.acknowledge(EventAck(record.identity), at: now) else { return false }
    send(frame)
    return true
  }

  func indicate(_ indication: Indication) {
    if let frame = host.indicate(indication, at: now) { send(frame) }
  }

  private func perform(_ output: HostOutput) -> [CoreInput] {
    for frame in output.frames { send(frame) }
    events += output.events
    return output.inputs
  }

  private func send(_ frame: WireFrame) {
    frame.withBytes { raw in
      var chunk = raw
      while let request = device.next(&chunk, at: now) { requests.append(request) }
    }
  }

  /// The same, once its light has changed and the host has asked for its trace.
  func askedForTrace() -> [String] {
    say(LEDState.idle)
    wake(after: .milliseconds(20))
    return asked()
  }

  /// What the keychain was asked since, but for clocks.
  func asked() -> [String] {
    defer { requests = [] }
    return requests.compactMap(\.words)
  }
}

extension WireFrame {
  var bytes: [UInt8] { withBytes { Array($0) } }
}

extension CoreInput {
  var words: String {
    switch self {
    case .linkUp(_, let hello): "up \(hello.deviceID.text)"
    case .linkDown(_, let reason): "down: \(reason)"
    case .event(_, let record, let happened):
      "event \(record.identity.number.text) " + (happened.map { "\($0)" } ?? "some time")
    case .barePress(_, let identity): "bare press \(identity.number.text)"
    case .heartbeat: "heartbeat"
    case .position: "position"
    case .missed: "missed"
    default: "\(self)"
    }
  }
}

extension HostRequest {
  fileprivate var words: String? {
    switch self {
    case .time: nil
    case .hello(let session): "hello \(session)"
    case .ack(let ack): "ack \(ack.number.text)"
    case .trace(let frame): "trace \(frame.first)"
    case .indicate(let indicate): "indicate \(indicate.state)"
    default: "\(self)"
    }
  }
}
