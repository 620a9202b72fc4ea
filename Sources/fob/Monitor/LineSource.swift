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
        onUnavailable: { [self] in monitor.say("\($0); it is opened as soon as that is mended") }))
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
