import FobBase
import Glibc
import SerialIO

/// Both ends of a pty. What goes over it carries when it was due and when it was written; zeros end
/// it.
final class PtyBaseline: Sendable {
  /// An EVENT frame without a position has so many bytes.
  private static let size = 64

  private let pty: PseudoTerminal
  private let far: OwnedDescriptor

  init() throws(IOFailure) {
    let pty = try PseudoTerminal()
    far = try Syscall.open(pty.slavePath, O_RDWR | O_NOCTTY)
    self.pty = pty
  }

  func write(_ due: Instant) {
    withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { frame in
      frame.initializeMemory(as: UInt8.self, repeating: 0x55)
      frame.storeBytes(of: due.microseconds, as: Int64.self)
      // Before the write: the reader may have its bytes before it returns.
      frame.storeBytes(of: BootClock.nanoseconds(), toByteOffset: 8, as: UInt64.self)
      _ = try? pty.master.write(UnsafeRawBufferPointer(frame))
    }
  }

  func end() {
    let zeros = [UInt8](repeating: 0, count: Self.size)
    _ = try? zeros.withUnsafeBytes { try pty.master.write($0) }
  }

  /// Waits for the next; nil at the end.
  /// - Returns: when it was due, and from its writing until it was read, µs in tenths.
  func read() -> (due: Int64, tenths: Int64)? {
    withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { frame in
      var count = 0
      var readAt: UInt64 = 0
      while count < frame.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: frame[count...])
        let new = Glibc.read(far.number, rest.baseAddress, rest.count)
        readAt = BootClock.nanoseconds()
        guard new > 0 else { return nil }
        count += new
      }
      let writtenAt = frame.load(fromByteOffset: 8, as: UInt64.self)
      guard writtenAt != 0 else { return nil }
      return (frame.load(as: Int64.self), Int64((readAt - writtenAt) / 100))
    }
  }
}
