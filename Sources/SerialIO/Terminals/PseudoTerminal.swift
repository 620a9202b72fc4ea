import CLinux
public import FobBase
import Glibc

/// The device's end of a pty. The other end, at `slavePath`, behaves as a serial device that a host
/// may open, close and open again.
///
/// The mode is raw from the start, set through the master: no host finds it cooked, so the device
/// never hears its own bytes (zephyr#54705). It stays raw while the master lives, however often the
/// slave is opened and closed.
public struct PseudoTerminal: ~Copyable, Sendable {
  /// The device reads and writes here; non-blocking. POLLHUP while no host has the slave open.
  public let master: OwnedDescriptor
  /// The path for hosts, like `/dev/pts/4`.
  public let slavePath: String
  private let openings: OwnedDescriptor

  /// Opens a new pty, whose number the kernel chooses.
  public init() throws(IOFailure) {
    let master = OwnedDescriptor(
      owning: try Syscall.run("open", "a pty master") { clinux_pty_open() }, path: "a pty master")
    try RawMode.set(on: master)
    let slavePath = try PseudoTerminal.slavePath(of: master)
    // Opens and closes the slave once: a master whose slave was never open reports no hang-up.
    _ = try Syscall.open(slavePath, O_RDWR | O_NOCTTY | O_NONBLOCK)
    openings = try PseudoTerminal.watchOpenings(of: slavePath)
    self.master = master
    self.slavePath = slavePath
  }

  /// Readable when a host has opened the slave; see ``clearOpenings()``. While nobody has it
  /// open, poll this and not the master, whose POLLHUP would end every poll at once.
  public var openingsDescriptor: Int32 { openings.number }

  /// Whether a host has the slave open now. The kernel keeps bytes written while nobody has, for
  /// the next host.
  public var isOpen: Bool { (try? events() & POLLHUP) == 0 }

  /// Waits until a host has the slave open, or has left bytes there to read.
  /// - Parameters:
  ///   - cancel: a descriptor that ends the wait when readable, as an EventSignal's; nil: none.
  ///   - deadline: on the boot clock; nil: it waits for ever.
  /// - Returns: false when cancelled or at the deadline.
  public func awaitOpening(
    cancel: Int32? = nil, until deadline: Instant? = nil
  ) throws(IOFailure) -> Bool {
    while true {
      // Cleared first, so that an opening after the look at the master still ends the wait.
      clearOpenings()
      let events = try events()
      if events & POLLHUP == 0 || events & POLLIN != 0 { return true }
      // poll(2) passes over a negative descriptor.
      var waits: InlineArray<2, pollfd> = [
        pollfd(fd: openings.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: cancel ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = try Syscall.poll(&waits, until: deadline)
      if ready == 0 || waits[1].revents != 0 { return false }
    }
  }

  /// Takes the openings so far, so that ``openingsDescriptor`` is readable only after the next.
  public func clearOpenings() {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
      while let count = try? openings.read(into: buffer), count > 0 {}
    }
  }

  private func events() throws(IOFailure) -> Int32 {
    try Syscall.poll(master.number, for: POLLIN, until: Instant(microseconds: 0))
  }

  private static func slavePath(of master: borrowing OwnedDescriptor) throws(IOFailure) -> String {
    let number = master.number
    var name = [CChar](repeating: 0, count: 64)
    try Syscall.run("name the slave of", master.path) {
      clinux_pty_slave_path(number, &name, name.count)
    }
    return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private static func watchOpenings(of path: String) throws(IOFailure) -> OwnedDescriptor {
    let watch = OwnedDescriptor(
      owning: try Syscall.run("watch", path) {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      }, path: path)
    let number = watch.number
    try Syscall.run("watch", path) { inotify_add_watch(number, path, UInt32(IN_OPEN)) }
    return watch
  }
}
