import Glibc
import SerialIO
import Testing

/// A descriptor read and written as a test wants it: all of it, within the watchdog's time.
enum TerminalProbe {
  static func writeAll(_ bytes: [UInt8], to terminal: borrowing OwnedDescriptor) throws {
    let deadline = Watchdog.deadline()
    var sent = 0
    while sent < bytes.count {
      let taken = try bytes[sent...].withUnsafeBytes { try terminal.write($0) }
      sent += taken ?? 0
      if taken == nil {
        try #require(try Syscall.poll(terminal.number, for: POLLOUT, until: deadline) != 0)
      }
    }
  }

  static func read(_ count: Int, from terminal: borrowing OwnedDescriptor) throws -> [UInt8] {
    let deadline = Watchdog.deadline()
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < count {
      let wanted = min(count - bytes.count, chunk.count)
      let taken = try chunk.withUnsafeMutableBytes {
        try terminal.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      if let taken {
        try #require(taken > 0, "the line ended after \(bytes.count) bytes")
        bytes += chunk[..<taken]
      } else {
        let events = try Syscall.poll(terminal.number, for: POLLIN, until: deadline)
        try #require(events != 0, "only \(bytes.count) bytes of \(count) came")
      }
    }
    return bytes
  }

  /// Opened as any program would, in the mode that it is found in.
  static func open(_ path: String) throws -> OwnedDescriptor {
    try Syscall.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
  }

  /// By way of a copy: an expectation cannot hold what cannot be copied. A line that was closed
  /// stays open in the child of another test until that child has become its program.
  static func expect(
    _ device: borrowing PseudoTerminal, isOpen wanted: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let deadline = Watchdog.deadline()
    var isOpen = device.isOpen
    while isOpen, !wanted, BootClock.now() < deadline {
      sched_yield()
      isOpen = device.isOpen
    }
    #expect(isOpen == wanted, sourceLocation: sourceLocation)
  }
}
