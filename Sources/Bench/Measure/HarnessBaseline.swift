import FobBase
import Glibc
import SerialIO
import Synchronization

/// Measures, between the presses, the time that harness and machine take for the least that a press
/// needs: bytes one way over a pty, and a page made durable.
///
/// The pty's writer sleeps on a timer in poll(2), as a keychain does until its contact has settled.
/// Its reader waits in read(2), with the scheduling that a line's reader asks for. The page is
/// written after every second trip, on a processor that is awake, as in a commit.
final class HarnessBaseline: Sendable {
  /// A trip: when it was due, µs on the boot clock, and how long it took, in tenths of a µs.
  struct Trip: Equatable, Sendable {
    let due: Int64
    let tenths: Int64
  }

  private let trips = Mutex<[Trip]>([])
  private let flushed = Mutex<[Trip]>([])
  private let stopSignal: EventSignal
  private let threads = Mutex<[BlockingThread]>([])

  /// - Parameters:
  ///   - dues: in order, on the boot clock; those that have passed are left out.
  ///   - folder: the folder whose disk is measured.
  init(dues: [Instant], folder: String) throws(IOFailure) {
    stopSignal = try EventSignal()
    let line = try PtyBaseline()
    let page = try FsyncBaseline(in: folder)
    trips.withLock { $0.reserveCapacity(dues.count) }
    flushed.withLock { $0.reserveCapacity(dues.count) }
    let writer = try BlockingThread(name: "floor writer") { [self] in
      write(dues, to: line, page)
      line.end()
    }
    let reader = try BlockingThread(name: "floor reader") { [self] in
      BlockingThread.runSoon()
      while let (due, tenths) = line.read() {
        trips.withLock { $0.append(Trip(due: due, tenths: tenths)) }
      }
    }
    threads.withLock { $0 = [writer, reader] }
  }

  /// Ends the threads, and gives what they have measured.
  func stop() -> (trips: [Trip], flushes: [Trip]) {
    stopSignal.signal()
    for thread in threads.withLock({ $0 }) { _ = thread.join(within: .seconds(2)) }
    return (trips.withLock { $0 }, flushed.withLock { $0 })
  }

  private func write(_ dues: [Instant], to line: PtyBaseline, _ page: FsyncBaseline) {
    guard let alarm = try? TimerFD() else { return }
    for (index, due) in dues.enumerated() where due > BootClock.now() {
      alarm.set(at: due)
      try? Syscall.awaitEither(alarm.descriptor, stopSignal.descriptor)
      guard BootClock.now() >= due else { return }
      line.write(due)
      guard index % 2 == 1, let tenths = page.write() else { continue }
      flushed.withLock { $0.append(Trip(due: due.microseconds, tenths: tenths)) }
    }
  }
}

/// A page of a file that is written in place and flushed: the least that a durable commit does.
final class FsyncBaseline: Sendable {
  private static let size = 4_096
  private let file: OwnedDescriptor

  /// - Parameter folder: where the file is made; its name is removed at once.
  init(in folder: String) throws(IOFailure) {
    let path = "\(folder)/floor"
    file = try Syscall.open(path, O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
    unlink(path)
    _ = write()
  }

  /// - Returns: tenths of a µs; nil where the disk refuses.
  func write() -> Int64? {
    withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { page in
      page.initializeMemory(as: UInt8.self, repeating: 0xA5)
      let before = BootClock.nanoseconds()
      guard pwrite(file.number, page.baseAddress, page.count, 0) == page.count,
        fdatasync(file.number) == 0
      else { return nil }
      return Int64((BootClock.nanoseconds() - before) / 100)
    }
  }
}

/// Both ends of a pty. Each message carries when it was due and when it was written; one of zeros
/// is the last.
final class PtyBaseline: Sendable {
  /// The size in bytes of an EVENT frame without a position.
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
      // Stamped before the write: the reader may have the bytes before the write returns.
      frame.storeBytes(of: BootClock.nanoseconds(), toByteOffset: 8, as: UInt64.self)
      _ = try? pty.master.write(UnsafeRawBufferPointer(frame))
    }
  }

  func end() {
    let zeros = [UInt8](repeating: 0, count: Self.size)
    _ = try? zeros.withUnsafeBytes { try pty.master.write($0) }
  }

  /// Waits for the next message; nil at the end.
  /// - Returns: when it was due, and the time from its writing to its reading, in tenths of a µs.
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
