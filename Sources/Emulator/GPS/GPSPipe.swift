import FobBase
import Glibc
import SerialIO

/// Bytes that somebody else sends to the receiver's input: through a FIFO, a device, standard input
/// or a file that grows. Nothing here waits; when the writer leaves, the path is opened again.
final class GPSPipe {
  /// How much is taken at a time.
  private static let chunk = 4_096
  private static let retry = Interval.seconds(1)
  /// A file that grows says nothing of it.
  private static let look = Interval.milliseconds(200)

  private let path: String
  private var file: OwnedDescriptor?
  private var nature = Nature.device

  private enum Nature {
    case device, fifo
    /// A file, always ready to be read, and at its end until somebody appends to it.
    case file
  }

  /// When a file is looked at again, or a path that could not be opened tried again.
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

  /// What to poll for bytes, or -1.
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

  /// What was sent while nobody listened, at most what a pipe holds.
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
      // Standard input is others' as well, so it cannot be made non-blocking.
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
    // A FIFO is opened before the old one is closed: the next writer always finds a reader.
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
