public import FobBase
import Glibc
public import SerialIO
import Synchronization

/// The floor of this harness: what a pty and the scheduler take to carry the bytes of an EVENT frame
/// one way, between two threads that wait as a keychain's and a bridge's do and do nothing else.
///
/// The writer sleeps on a timer in poll(2), as a keychain does until its contact has settled. The
/// reader waits in read(2), and asks the scheduler for what a line's reader asks.
public final class PtyFloor: Sendable {
  /// A trip: when it was due, µs on the boot clock, and how long it took, µs in tenths.
  public struct Trip: Equatable, Sendable {
    public let due: Int64
    public let tenths: Int64
  }

  /// An EVENT frame without a position has so many bytes.
  static let size = 64

  private let trips = Mutex<[Trip]>([])
  private let stopSignal: EventSignal
  private let threads = Mutex<[BlockingThread]>([])

  /// - Parameter dues: in order, on the boot clock; those that have passed are left out.
  public init(dues: [Instant]) throws(IOFailure) {
    let stopSignal = try EventSignal()
    let line = try Line()
    self.stopSignal = stopSignal
    trips.withLock { $0.reserveCapacity(dues.count) }
    let writer = try BlockingThread(name: "floor writer") { [self] in
      write(dues, to: line)
      line.end()
    }
    let reader = try BlockingThread(name: "floor reader") { [self] in
      BlockingThread.runSoon()
      while let trip = line.read() { trips.withLock { $0.append(trip) } }
    }
    threads.withLock { $0 = [writer, reader] }
  }

  /// Ends the threads.
  /// - Returns: the trips made.
  public func stop() -> [Trip] {
    stopSignal.signal()
    for thread in threads.withLock({ $0 }) { _ = thread.join(within: .seconds(2)) }
    return trips.withLock { $0 }
  }

  private func write(_ dues: [Instant], to line: Line) {
    guard let alarm = try? Alarm() else { return }
    for due in dues where due > BootClock.now() {
      alarm.set(at: due)
      try? Syscall.awaitEither(alarm.descriptor, stopSignal.descriptor)
      guard BootClock.now() >= due else { return }
      line.write(due)
    }
  }

  /// Both ends of a pty. A trip carries when it was due and when it was written, in ns; zeros end.
  private final class Line: Sendable {
    private let pty: PseudoTerminal
    private let far: OwnedDescriptor

    init() throws(IOFailure) {
      let pty = try PseudoTerminal()
      far = try Syscall.open(pty.slavePath, O_RDWR | O_NOCTTY)
      self.pty = pty
    }

    func write(_ due: Instant) {
      withUnsafeTemporaryAllocation(byteCount: PtyFloor.size, alignment: 8) { frame in
        frame.initializeMemory(as: UInt8.self, repeating: 0x55)
        frame.storeBytes(of: due.microseconds, as: Int64.self)
        // Before the write: the reader may have its bytes before it returns.
        frame.storeBytes(of: BootClock.nanoseconds(), toByteOffset: 8, as: UInt64.self)
        _ = try? pty.master.write(UnsafeRawBufferPointer(frame))
      }
    }

    func end() {
      let zeros = [UInt8](repeating: 0, count: PtyFloor.size)
      _ = try? zeros.withUnsafeBytes { try pty.master.write($0) }
    }

    /// Nil at the end.
    func read() -> Trip? {
      withUnsafeTemporaryAllocation(byteCount: PtyFloor.size, alignment: 8) { frame in
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
        return Trip(
          due: frame.load(as: Int64.self), tenths: Int64((readAt - writtenAt) / 100))
      }
    }
  }
}
