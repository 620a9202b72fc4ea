import FobBase
import Glibc
import SerialIO

/// QEMU's monitor as far as the suite speaks with it: it greets, and answers every line, an event
/// before each answer.
final class QMPStandIn: Sendable {
  private let thread: BlockingThread

  /// Listens when it returns, and serves one client until that leaves.
  init(path: String, hear: @escaping @Sendable (String) -> Void) throws {
    let gate = try OneShot<IOFailure?>()
    thread = try BlockingThread(name: "qmp") {
      do throws(IOFailure) {
        let listener = try UnixListener(path: path)
        gate.open(with: nil)
        _ = try Syscall.poll(
          listener.descriptor, for: POLLIN, until: BootClock.now() + .seconds(10))
        guard let client = try listener.accept() else { return }
        try Self.serve(client, hear)
      } catch {
        gate.open(with: error)
      }
    }
    if let failure = try gate.pass() { throw failure }
  }

  func stop() { _ = thread.join(within: .seconds(5)) }

  private static func serve(
    _ client: consuming OwnedDescriptor, _ hear: (String) -> Void
  ) throws(IOFailure) {
    try say(#"{"QMP": {"version": {}, "capabilities": []}}"#, to: client)
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while true {
      _ = try Syscall.poll(client.number, for: POLLIN, until: BootClock.now() + .seconds(10))
      var span = buffer.mutableSpan
      let count = try span.withUnsafeMutableBytes { (bytes) throws(IOFailure) in
        try client.read(into: bytes)
      }
      guard let count, count > 0 else { return }
      for byte in buffer[..<count] {
        guard byte == UInt8(ascii: "\n") else {
          line.append(byte)
          continue
        }
        hear(String(decoding: line, as: UTF8.self))
        line = []
        try say(#"{"event": "STOP", "data": {}}"#, to: client)
        try say(#"{"return": {}}"#, to: client)
      }
    }
  }

  private static func say(_ line: String, to client: borrowing OwnedDescriptor) throws(IOFailure) {
    let bytes = Array(line.utf8) + [0x0A]
    _ = try bytes.span.withUnsafeBytes { (bytes) throws(IOFailure) in try client.send(bytes) }
  }
}
