import FobBase
import Glibc
import SerialIO

/// Our end of a line to QEMU: one of a pair of unnamed sockets. QEMU inherits the other.
final class QEMUSocket {
  let name: String
  private let ours: OwnedDescriptor
  private var theirs: OwnedDescriptor?
  /// Bytes that have come and were not taken.
  private var received: [UInt8] = []
  private(set) var hasEnded = false

  init(_ name: String) throws(IOFailure) {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try Syscall.run("make a socket for", name) { socketpair(AF_UNIX, kind, 0, &pair) }
    let (our, their) = (pair[0], pair[1])
    ours = OwnedDescriptor(owning: our, path: name)
    theirs = OwnedDescriptor(owning: their, path: name)
    self.name = name
    try Syscall.run("set up", name) { fcntl(our, F_SETFL, O_RDWR | O_NONBLOCK) }
  }

  var descriptor: Int32 { ours.number }

  /// The end that QEMU is to inherit; -1 once it has.
  var inherited: Int32 {
    switch theirs {
    case .some(let theirs): theirs.number
    case .none: -1
    }
  }

  /// Closes our copy of QEMU's end, so that QEMU's death ends the line.
  func letGoOfInherited() { theirs = nil }

  var isEmpty: Bool { received.isEmpty }

  /// Reads all that has come, so that QEMU never waits for us.
  func drain() {
    var chunk = [UInt8](repeating: 0, count: Limits.readBuffer)
    while !hasEnded {
      let count: Int?
      do throws(IOFailure) {
        var span = chunk.mutableSpan
        count = try span.withUnsafeMutableBytes { (bytes) throws(IOFailure) in
          try ours.read(into: bytes)
        }
      } catch {
        hasEnded = true
        return
      }
      guard let count else { return }
      if count == 0 { hasEnded = true }
      received += chunk[..<count]
    }
  }

  func take() -> [UInt8] {
    defer { received.removeAll(keepingCapacity: true) }
    return received
  }

  /// Takes the oldest bytes, as many as fit.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, received.count)
    buffer.copyBytes(from: received.prefix(count))
    received.removeFirst(count)
    return count
  }

  /// Writes without waiting and returns how many bytes were taken.
  /// - Throws: `IOFailure` with EPIPE where QEMU is gone.
  func write(_ bytes: UnsafeRawBufferPointer) throws(IOFailure) -> Int {
    bytes.isEmpty ? 0 : try ours.send(bytes) ?? 0
  }
}
