import Capture
import Control
import FobBase
import Foundation
import SerialIO
import Synchronization

/// The lines of a running bridge or keychain, heard through its control socket.
final class TapSource: Sendable {
  private let client: Mutex<ControlClient>

  private struct Line: Decodable {
    let at: Int64?
    let device: String?
    let to: String?
    let bytes: String?
    let lost: Int?
  }

  /// - Parameter path: nil for the bridge of the runtime folder, else its keychain.
  init(path: String?) throws(Failure) {
    let client = try Self.connect(path)
    let answer: String
    do throws(IOFailure) {
      answer = try client.request(#"{"do":"tap"}"#)
    } catch {
      throw Failure(.unreachable, "\(error)")
    }
    try ControlVerdict.check(answer, of: "tap")
    self.client = Mutex(client)
  }

  /// Hands on what comes until the other end closes, on a thread of its own. It is left behind when
  /// the process ends.
  func start(_ monitor: Monitor) throws(IOFailure) {
    _ = try BlockingThread(name: "tap") { [self] in
      client.withLock { client in
        while let line = (try? client.nextLine(before: .endOfTime)) ?? nil { take(line, monitor) }
      }
      monitor.say("the other end has closed")
      monitor.finished.signal()
    }
  }

  private func take(_ text: String, _ monitor: Monitor) {
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else { return }
    if let lost = line.lost { monitor.lost(lost) }
    guard let at = line.at, let device = line.device, let bytes = line.bytes.flatMap(Hex.bytes),
      let direction = line.to.flatMap(Direction.init)
    else { return }
    monitor.heard(
      bytes, device: device, direction: direction, at: Instant(microseconds: at))
  }

  private static func connect(_ path: String?) throws(Failure) -> sending ControlClient {
    let paths = path.map { [$0] } ?? [RuntimeFolder.bridgeSocket, RuntimeFolder.keychainSocket]
    var refusals: [String] = []
    for standard in paths {
      do throws(IOFailure) {
        if path == nil { try RuntimeFolder.check() }
        return try ControlClient(path: standard)
      } catch {
        refusals.append("\(error)")
      }
    }
    throw Failure(
      .unreachable,
      refusals.joined(separator: "; ")
        + "; start fob bridge or fob emulate, name its socket with --socket,"
        + " or a line with --device"
    )
  }
}
