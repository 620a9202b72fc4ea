import FobBase
import Glibc
import SerialIO
import Synchronization
import TestSupport

/// Two ptys joined like two serial ports by a null modem: what one end says the other hears, and
/// neither notices whether anybody is there. What a closed port is sent is lost.
final class NullModem: Sendable {
  let paths: [String]
  private let stopSignal: EventSignal
  private let isStopping = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)

  /// Both ends, for the thread that carries the bytes.
  private final class Ends: Sendable {
    let near: PseudoTerminal
    let far: PseudoTerminal

    init() throws(IOFailure) {
      near = try PseudoTerminal()
      far = try PseudoTerminal()
    }
  }

  init() throws {
    let ends = try Ends()
    paths = [ends.near.slavePath, ends.far.slavePath]
    stopSignal = try EventSignal()
    let new = try BlockingThread(name: "null modem") { [unowned self] in carry(ends) }
    thread.withLock { $0 = new }
  }

  deinit {
    isStopping.store(true, ordering: .releasing)
    stopSignal.signal()
    _ = thread.withLock { $0 }?.join(within: .seconds(10))
  }

  private func carry(_ ends: Ends) {
    while !isStopping.load(ordering: .acquiring) {
      ends.near.clearOpenings()
      ends.far.clearOpenings()
      pass(from: ends.near, to: ends.far)
      pass(from: ends.far, to: ends.near)
      wait(ends)
    }
  }

  /// A port that is closed hangs up for ever: its next opening is waited for instead.
  private func wait(_ ends: Ends) {
    var waits = [pollfd(fd: stopSignal.descriptor, events: Int16(POLLIN), revents: 0)]
    for number in [watched(ends.near), watched(ends.far)] {
      waits.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0))
    }
    _ = try? Syscall.poll(&waits, count: waits.count)
  }

  private func watched(_ end: borrowing PseudoTerminal) -> Int32 {
    end.isOpen ? end.master.number : end.openingsDescriptor
  }

  private func pass(from one: borrowing PseudoTerminal, to other: borrowing PseudoTerminal) {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      while let count = (try? one.master.read(into: buffer)) ?? nil, count > 0 {
        guard other.isOpen else { continue }
        _ = try? other.master.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }
}
