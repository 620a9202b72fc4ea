import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import Testing

/// The time of real processes: serves `--test-clock`. Whoever connects takes up the present time.
final class ServedClock: Sendable {
  private struct State {
    /// µs before the host's own clocks.
    var offset: Int64 = 0
    var client: Int32 = -1
    var heard: [UInt8] = []
  }

  let path: String
  private let listener: Int32
  private let state = Mutex(State())
  private let signal: EventSignal

  init(path: String) throws {
    self.path = path
    signal = try EventSignal()
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let number = listener
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(number, 4) == 0
      }
    }
    try #require(isBound, "cannot listen at \(path)")
    // Detached: it ends with the signal.
    _ = try BlockingThread(name: "served clock") { [self] in accept() }
  }

  func stop() {
    signal.signal()
    state.withLock { state in
      if state.client >= 0 { close(state.client) }
      state.client = -1
    }
  }

  var offset: Int64 { state.withLock { $0.offset } }

  func move(by interval: Interval) {
    state.withLock { state in
      state.offset += interval.microseconds
      Self.say(state)
    }
  }

  /// Waits until a process has decided and committed all that is due at the present time.
  /// - Returns: false when it has died.
  func isSettled() throws -> Bool {
    let deadline = BootClock.now() + .seconds(20)
    while true {
      let (client, isDone) = state.withLock { state in
        (
          state.client,
          state.heard.split(separator: 0x0A).contains { Self.done($0) == state.offset }
        )
      }
      if isDone { return true }
      guard client >= 0 else { return false }
      try #require(BootClock.now() < deadline, "the process does not settle")
      let soon = BootClock.now() + .milliseconds(100)
      guard try Syscall.poll(client, for: POLLIN, until: soon) != 0 else { continue }
      let isOpen = state.withLock { state in
        guard state.client == client else { return true }
        var chunk = [UInt8](repeating: 0, count: 512)
        let count = read(client, &chunk, chunk.count)
        if count > 0 { state.heard += chunk.prefix(count) }
        return count > 0
      }
      if !isOpen { return false }
    }
  }

  private static func done(_ line: ArraySlice<UInt8>) -> Int64? {
    (try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])?["done"] as? Int64
  }

  private static func say(_ state: State) {
    guard state.client >= 0 else { return }
    let line = Array("{\"offset_us\":\(state.offset)}\n".utf8)
    _ = send(state.client, line, line.count, Int32(MSG_NOSIGNAL))
  }

  private func accept() {
    while true {
      try? Syscall.awaitEither(listener, signal.descriptor)
      if (try? Syscall.poll(signal.descriptor, for: POLLIN, until: BootClock.now())) == POLLIN {
        close(listener)
        return
      }
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { continue }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      state.withLock { state in
        if state.client >= 0 { close(state.client) }
        state.client = client
        state.heard = []
        Self.say(state)
      }
    }
  }
}
