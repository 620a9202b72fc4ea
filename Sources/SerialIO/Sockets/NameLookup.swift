import FobBase
import Glibc
import Synchronization

/// Turns a host into addresses without waiting for a resolver longer than the caller wants to.
///
/// getaddrinfo(3) cannot be interrupted, so a name is looked up on a thread of its own, which may
/// outlive the caller. One look-up runs at a time: a second caller waits for the same answer.
final class NameLookup: Sendable {
  private let host: String
  private let port: UInt16
  private let running = Mutex<OneShot<Result<[TCPAddress], IOFailure>>?>(nil)

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// - Parameter cancel: a descriptor that ends the wait when readable.
  /// - Throws: `IOFailure` with ETIMEDOUT at the deadline, ECANCELED when cancelled, EHOSTUNREACH
  ///   with the resolver's words where it knows no such host.
  func addresses(cancel: Int32, until deadline: Instant) throws(IOFailure) -> [TCPAddress] {
    if let address = TCPAddress.numeric(host: host, port: port) { return [address] }
    let gate = try begin()
    try Syscall.awaitEither(gate.descriptor, cancel, until: deadline)
    guard let answer = try gate.pass(until: Instant(microseconds: 0)) else {
      let isCancelled = try Syscall.poll(cancel, for: POLLIN, until: Instant(microseconds: 0)) != 0
      throw IOFailure("find", errno: isCancelled ? ECANCELED : ETIMEDOUT, path: host)
    }
    running.withLock { $0 = nil }
    return try answer.get()
  }

  private func begin() throws(IOFailure) -> OneShot<Result<[TCPAddress], IOFailure>> {
    try running.withLock { (running) throws(IOFailure) in
      if let running { return running }
      let gate = try OneShot<Result<[TCPAddress], IOFailure>>()
      let thread = try BlockingThread(name: "name lookup") { [host, port] in
        gate.open(with: TCPAddress.resolve(host: host, port: port))
      }
      // Nobody waits for the thread's end.
      _ = consume thread
      running = gate
      return gate
    }
  }
}
