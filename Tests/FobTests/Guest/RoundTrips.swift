// Beside Foundation, the compiler looks for some C structs in Dispatch's headers.
import CDispatch
import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing
import Transport

/// One question asked again and again on a line as the bridge has it: `DeviceLine`, whose reader's
/// thread sends the next one as soon as the last one is answered.
final class RoundTrips: Sendable {
  private struct Asking {
    var sent: UInt64 = 0
    var heard = 0
    /// In ns, from before the question is sent until `read` has returned the answer's last byte.
    var samples: [UInt64] = []
  }

  private let question: [UInt8]
  private let length: Int
  private let count: Int
  private let asking = Mutex(Asking())
  private let line = Mutex<DeviceLine?>(nil)
  private let isDone: EventSignal

  /// - Parameters:
  ///   - question: in bytes of the wire.
  ///   - length: of its answer.
  static func measure(
    _ spec: String, _ question: [UInt8], answer length: Int, count: Int
  ) throws -> [UInt64] {
    let trips = try RoundTrips(question, length, count)
    return try trips.run(try DeviceSpec(spec))
  }

  private init(_ question: [UInt8], _ length: Int, _ count: Int) throws {
    self.question = question
    self.length = length
    self.count = count
    isDone = try EventSignal()
  }

  private func run(_ spec: DeviceSpec) throws -> [UInt64] {
    let opened = try DeviceLine(
      spec,
      handlers: DeviceLineHandlers(
        onOpen: { _ in },
        onBytes: { [self] bytes, at in heard(bytes.count, at) }, nextWake: { nil },
        onWake: { [self] _ in begin() }, onGone: { _ in },
        onUnavailable: { USBGuest.say("\($0)") }))
    line.withLock { $0 = opened }
    try opened.start()
    let ended = try Syscall.poll(
      isDone.descriptor, for: POLLIN, until: BootClock.now() + .seconds(20))
    opened.stop()
    line.withLock { $0 = nil }
    let samples = asking.withLock { $0.samples }
    try #require(ended != 0, "\(samples.count) of \(count) answers by \(spec)")
    return samples
  }

  /// Once, when the line is open.
  private func begin() {
    if asking.withLock({ $0.sent == 0 }) { ask() }
  }

  private func heard(_ bytes: Int, _ at: UInt64) {
    let isAnswered = asking.withLock { asking in
      asking.heard += bytes
      // What the keychain says by itself, before it is asked, is no answer.
      guard asking.sent != 0, asking.heard >= length else { return false }
      asking.samples.append(at - asking.sent)
      return true
    }
    guard isAnswered else { return }
    if asking.withLock({ $0.samples.count < count }) { ask() } else { isDone.signal() }
  }

  private func ask() {
    asking.withLock {
      $0.heard = 0
      $0.sent = Self.now()
    }
    line.withLock { line in _ = question.withUnsafeBytes { line?.send($0) } }
  }

  /// Of the clock by which a line stamps what it has read.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
