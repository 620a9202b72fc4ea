import FobBase
import Glibc
import SerialIO
import Testing

/// The device's end of a line, under a name that stays while it comes and goes.
final class Device {
  let name: String
  private var terminal: PseudoTerminal?
  private var link: StableLink?

  init(at name: String) { self.name = name }

  deinit { unplug() }

  func plug() throws {
    let new = try PseudoTerminal()
    link = try StableLink(at: name, to: new.slavePath)
    terminal = consume new
  }

  func unplug() {
    link = nil
    terminal = nil
  }

  func say(_ bytes: [UInt8]) throws {
    let master = try master
    let written = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    try #require(written == bytes.count)
  }

  /// The next bytes from the host, exactly so many.
  func hear(_ count: Int) throws -> [UInt8] {
    let master = try master
    let deadline = BootClock.now() + .seconds(10)
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while heard.count < count {
      let events = try Syscall.poll(master, for: POLLIN, until: deadline)
      try #require(events & POLLIN != 0, "\(heard.count) of \(count) bytes within 10 s")
      let taken = read(master, &buffer, min(buffer.count, count - heard.count))
      heard += buffer.prefix(max(0, taken))
    }
    return heard
  }

  private var master: Int32 {
    get throws {
      switch terminal {
      case .some(let terminal): return terminal.master.number
      case .none: throw IOFailure("use", errno: ENODEV, path: name)
      }
    }
  }
}

/// A pty whose end leaves whatever leads to it behind, as that of a killed process does.
final class BareTerminal {
  let terminal: PseudoTerminal

  init() throws { terminal = try PseudoTerminal() }
}
