import Capture
import FobBase
import SerialIO
import Synchronization
import Transport

/// A replay at the host's end: it opens a device's line, on a thread of its own.
final class HostEnd: Sendable {
  private let replay: Replay
  private let line = Mutex<DeviceLine?>(nil)
  /// Bytes that the line had no room for.
  private let pending = Mutex<[UInt8]?>(nil)

  init(_ replay: Replay) { self.replay = replay }

  func start(_ spec: DeviceSpec) throws(IOFailure) {
    let line = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { [replay] in replay.opened(at: $0) },
        onBytes: { [self] bytes, readAt in
          let now = Instant(microseconds: Int64(readAt / 1_000))
          replay.heard(bytes, at: now)
          send(at: now)
        },
        nextWake: { [self] in
          let now = BootClock.now()
          return pending.withLock { $0 != nil } ? now + Self.retry : replay.nextWake(at: now)
        },
        onWake: { [self] in send(at: $0) },
        onGone: { [replay] in replay.gone("\(spec): \($0)") },
        onUnavailable: { [replay] in
          replay.say("\($0); it is opened as soon as that is mended")
          replay.changed.signal()
        }))
    self.line.withLock { $0 = line }
    try line.start()
  }

  func stop() {
    // Let go of: its handlers hold this end.
    let line = line.withLock { $0.take() }
    line?.stop()
  }

  private static let retry = Interval.milliseconds(2)

  private func send(at now: Instant) {
    let line = line.withLock { $0 }
    while let bytes = pending.withLock({ $0.take() }) ?? replay.nextBytes(at: now) {
      if bytes.withUnsafeBytes({ line?.send($0) }) == .dropped {
        pending.withLock { $0 = bytes }
        break
      }
    }
    if replay.isFinished(at: now) { replay.changed.signal() }
  }
}
