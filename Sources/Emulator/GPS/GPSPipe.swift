import FobBase
import Glibc
import SerialIO

/// GPS bytes from another program: through a FIFO, a device, standard input or a file that grows.
/// No call waits. When the writer leaves, the path is opened again.
final class GPSPipe {
  /// How many bytes are read at a time.
  private static let chunk = 4_096
  private static let retry = Interval.seconds(1)
  /// How often a file is read: nothing tells that it has grown.
  private static let look = Interval.milliseconds(200)

  private let path: String
  private var file: OwnedDescriptor?
  private var nature = Nature.device

  private enum Nature {
    case device, fifo
    /// A file, which is always readable, and at its end until a writer appends to it.
    case file
  }

  /// When to read a file again, or to try a path again that could not be opened.
  private(set) var nextDue: Instant?

  /// - Parameter path: `-` is standard input.
  /// - Throws: `IOFailure`; EISDIR for a folder.
  init(_ path: String) throws(IOFailure) {
    self.path = path
    if path == "-" {
      let number = try Syscall.run("duplicate", path) {
        fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
      }
      file = OwnedDescriptor(owning: number, path: "standard input")
    } else {
      try open()
    }
    if nature == .file { nextDue = Instant(microseconds: 0) }
  }

  /// The descriptor to poll for bytes, or -1.
  var descriptor: Int32 {
    switch file {
    case .some(let file): nature == .file ? -1 : file.number
    case .none: -1
    }
  }

  func read(into pending: inout ArraySlice<UInt8>, at now: Instant) {
    if let due = nextDue, due <= now {
      nextDue = nature == .file ? now + Self.look : nil
      if !isOpen { reopen(at: now) }
    }
    guard pending.count < Self.chunk else { return }
    switch take(at: now) {
    case .bytes(let bytes): pending += bytes
    case .nothing: break
    case .end: writerLeft(at: now)
    }
  }

  /// Drops the bytes sent while the board did not listen, at most as many as a pipe holds.
  func discard() {
    let now = BootClock.now()
    for _ in 0..<16 {
      guard case .bytes = take(at: now) else { return }
    }
  }

  private enum Taken {
    case bytes([UInt8])
    case nothing
    case end
  }

  private var isOpen: Bool {
    switch file {
    case .some: true
    case .none: false
    }
  }

  private func take(at now: Instant) -> Taken {
    switch file {
    case .none: return .nothing
    case .some(let file):
      // Standard input is shared with other processes, so it cannot be made non-blocking.
      let events = (try? Syscall.poll(file.number, for: POLLIN, until: now)) ?? 0
      guard events != 0 else { return .nothing }
      var bytes = [UInt8](repeating: 0, count: Self.chunk)
      do {
        guard let count = try bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
          return .nothing
        }
        return count > 0 ? .bytes(Array(bytes[..<count])) : nature == .file ? .nothing : .end
      } catch {
        return .end
      }
    }
  }

  private func writerLeft(at now: Instant) {
    // Opens the FIFO again before the old descriptor is closed, so that the next writer always
    // finds a reader.
    if nature == .fifo && path != "-" { return reopen(at: now) }
    file = nil
    if path != "-" { nextDue = now + Self.retry }
  }

  private func reopen(at now: Instant) {
    do {
      try open()
    } catch {
      file = nil
      nextDue = now + Self.retry
    }
  }

  private func open() throws(IOFailure) {
    let new = try Syscall.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    let number = new.number
    try Syscall.run("examine", path) { fstat(number, &status) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw IOFailure("read", errno: EISDIR, path: path, reason: "it is a folder")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: nature = .file
    case S_IFIFO: nature = .fifo
    default: nature = .device
    }
    file = consume new
  }
}
