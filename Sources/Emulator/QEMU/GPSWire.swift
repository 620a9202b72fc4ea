import FobBase
import SerialIO

/// The receiver's serial line at 9600 bit/s, as GPS modules come: QEMU itself would hand over an
/// epoch at once, and no firmware has to be ready for that.
struct GPSWire {
  private static let chunk = 16
  /// Of so many bytes at ten bits each.
  private static let pace = Interval.microseconds(Int64(chunk) * 10_000_000 / 9_600)

  private var pending: [UInt8] = []
  /// When the line is free for the next bytes; nil while there are none.
  private(set) var nextDue: Instant?

  /// Sends what the line can carry by `now`.
  mutating func pass(_ gps: inout GPSFeed, to uart: QEMUSocket, at now: Instant) {
    if let nextDue, now < nextDue { return }
    while pending.count < Self.chunk, let byte = gps.nextByte() { pending.append(byte) }
    guard !pending.isEmpty else {
      nextDue = nil
      return
    }
    // What a dead QEMU does not take is noticed elsewhere.
    let taken = pending.withUnsafeBytes { (try? uart.write($0)) ?? 0 }
    pending.removeFirst(taken)
    nextDue = now + Self.pace
  }

  mutating func discard() {
    pending = []
    nextDue = nil
  }
}
