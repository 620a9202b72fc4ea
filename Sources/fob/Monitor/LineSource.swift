import Bridge
import Capture
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// A device's line that the monitor has to itself. It sends nothing, or as a `PassiveHost` no more
/// than HELLO and the time, and never acks.
final class LineSource: Sendable {
  private let spec: DeviceSpec
  private let saysHello: Bool
  private let monitor: Monitor
  private let line = Mutex<DeviceLine?>(nil)
  private let host = Mutex<PassiveHost?>(nil)
  private let name: String

  init(_ spec: DeviceSpec, saysHello: Bool, _ monitor: Monitor) {
    self.spec = spec
    self.saysHello = saysHello
    self.monitor = monitor
    name = spec.description
  }

  func start() throws(IOFailure) {
    let line = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { [self] in opened(at: $0) },
        onBytes: { [self] in heard($0, at: Instant(microseconds: Int64($1 / 1_000))) },
        nextWake: { [self] in host.withLock { $0?.nextWake } },
        onWake: { [self] in send(at: $0) },
        onGone: { [self] in gone($0) },
        onUnavailable: { [self] in monitor.say($0.whileRetrying) }))
    self.line.withLock { $0 = line }
    try line.start()
  }

  func stop() {
    // Let go of: its handlers hold this source.
    let line = line.withLock { $0.take() }
    line?.stop()
  }

  private func opened(at now: Instant) {
    monitor.say("\(name) is open")
    guard saysHello else { return }
    host.withLock { $0 = PassiveHost(session: UInt32.random(in: 1 ... .max), at: now) }
  }

  private func heard(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    for description in monitor.heard(Array(bytes), device: name, direction: .toHost, at: now) {
      guard saysHello, let session = Self.sessionAnswered(in: description) else { continue }
      host.withLock { $0?.heardHello(answering: session, at: now) }
    }
  }

  private func send(at now: Instant) {
    let line = line.withLock { $0 }
    while let frame = host.withLock({ $0?.nextFrame(at: now) }) {
      let bytes = frame.withBytes { Array($0) }
      let outcome = bytes.withUnsafeBytes { line?.send($0) }
      guard outcome == .written || outcome == .queued else { continue }
      monitor.heard(bytes, device: name, direction: .toDevice, at: now)
    }
  }

  private func gone(_ reason: GoneReason) {
    host.withLock { $0 = nil }
    monitor.ended(device: name)
    monitor.say("\(name) is gone: \(reason)")
  }

  /// Nil for what is no HELLO of a device.
  private static func sessionAnswered(in description: FrameDescription) -> UInt32? {
    guard case .frame(let frame) = description.content, frame.name == "HELLO",
      frame.fields.first?.value == .unsigned(0),
      case .unsigned(let session)? = frame.fields.first(where: { $0.name == "session_nonce" })?
        .value
    else { return nil }
    return UInt32(session)
  }
}

/// The least that a host may say: HELLO until a device answers, and what time it is. It never
/// acks, never indicates and never rejects, so that a device keeps its events for
/// the host that serves it.
struct PassiveHost {
  private var sequence: UInt16 = 0
  private var session: UInt32
  private var isAnswered = false
  private var nextHello: Instant
  private var nextTime: Instant
  private var timesLeft = 0
  private var lastSent: Instant?

  /// - Parameter session: random and never zero.
  init(session: UInt32, at now: Instant) {
    self.session = session
    nextHello = now
    nextTime = now
  }

  var nextWake: Instant { isAnswered ? nextTime : nextHello }

  /// - Parameters:
  ///   - answered: the session in a HELLO of a device; 0 from one that has just booted.
  mutating func heardHello(answering answered: UInt32, at now: Instant) {
    if answered == session, !isAnswered {
      isAnswered = true
      timesLeft = 8
      nextTime = now
    } else if answered == 0 {
      session = session &+ 1 == 0 ? 1 : session &+ 1
      isAnswered = false
      nextHello = now
    }
  }

  /// A frame that is due; call until nil.
  mutating func nextFrame(at now: Instant) -> WireFrame? {
    if !isAnswered {
      guard now >= nextHello else { return nil }
      nextHello = now + .milliseconds(500)
      return frame(Hello(role: .host, session: session, software: AlertBridge.software), at: now)
    }
    guard now >= nextTime else { return nil }
    timesLeft = max(0, timesLeft - 1)
    nextTime = now + (timesLeft > 0 ? .milliseconds(20) : .seconds(10))
    return frame(
      TimeRequest(hostSend: UInt64(max(0, now.microseconds)), session: session), at: now)
  }

  private mutating func frame(_ payload: some Payload, at now: Instant) -> WireFrame {
    defer {
      sequence &+= 1
      lastSent = now
    }
    let afterSilence = lastSent.map { now - $0 >= .seconds(1) } ?? true
    return WireFrame(FrameBody(payload, sequence: sequence), afterSilence: afterSilence)
  }
}
