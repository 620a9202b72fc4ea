import Control
import FobBase
import Foundation
public import SerialIO
import Synchronization

/// Lets a test move the time of a real process (rule 2), so that 30 minutes take none.
///
/// The process connects to a Unix socket that the test serves. The test sends lines
/// `{"offset_us":N}`: how far the clocks are ahead of the host's own. It sends the first one at
/// once, so that a restarted process takes up the present test time. The process answers each by
/// `{"done":N}` once everything due is decided and committed.
public final class TestClock: Sendable {
  /// The clock to hand to the bridge; it stands at the first offset already.
  public let clock = HostClock()
  private let path: String
  private let first: Int64
  /// Used only by the thread that follows the test.
  private let client: Mutex<ControlClient>
  private let thread = Mutex<BlockingThread?>(nil)

  private struct Line: Codable { let offset_us: Int64 }

  private static let patience = Interval.seconds(10)

  /// Connects, and waits up to 10 s for the first offset.
  public init(path: String) throws(IOFailure) {
    self.path = path
    let client = try ControlClient(path: path)
    guard let line = try client.nextLine(before: BootClock.now() + Self.patience) else {
      throw IOFailure("read the time from", errno: ECONNRESET, path: path)
    }
    first = try Self.offset(in: line, path)
    guard clock.move(to: first) else { throw Self.backwards(path, first) }
    self.client = Mutex(client)
  }

  /// Follows the test from now on.
  /// - Parameters:
  ///   - bridge: made with `clock`; each move is answered once it has done all that is due.
  ///   - onLost: called once on its own thread, with words for a person. Nobody moves the time of
  ///     this process any more, so it must end.
  public func follow(
    _ bridge: AlertBridge, onLost: @escaping @Sendable (String) -> Void
  ) throws(IOFailure) {
    let thread = try BlockingThread(name: "test clock") { [self] in
      client.withLock { client in
        do {
          try settle(bridge, first, client)
          while let line = try client.nextLine(before: Instant(microseconds: .max / 2)) {
            let offset = try Self.offset(in: line, path)
            guard clock.move(to: offset) else { throw Self.backwards(path, offset) }
            bridge.process.clockMoved()
            try settle(bridge, offset, client)
          }
          onLost("the test clock at \(path) has gone, and with it the time of this process")
        } catch {
          onLost("the test clock is lost: \(error)")
        }
      }
    }
    self.thread.withLock { $0 = thread }
  }

  private func settle(
    _ bridge: AlertBridge, _ offset: Int64, _ client: ControlClient
  ) throws(IOFailure) {
    if let obstacle = bridge.testObstacle {
      throw IOFailure("go on with", errno: EPERM, path: path, reason: obstacle)
    }
    let deadline = BootClock.now() + Self.patience
    guard bridge.process.isSettled(by: deadline) else {
      throw IOFailure("settle at the time of", errno: ETIMEDOUT, path: path)
    }
    try client.send(#"{"done":\#(offset)}"#, before: deadline)
  }

  private static func offset(in line: String, _ path: String) throws(IOFailure) -> Int64 {
    guard let read = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
      throw IOFailure(
        "read the time from", errno: EINVAL, path: path,
        reason: #"'\#(line.prefix(80))' is no line {"offset_us":N}"#)
    }
    return read.offset_us
  }

  private static func backwards(_ path: String, _ offset: Int64) -> IOFailure {
    IOFailure(
      "move the clock as said by", errno: EINVAL, path: path,
      reason: "\(offset) µs is before what it said last, or over a century")
  }
}
