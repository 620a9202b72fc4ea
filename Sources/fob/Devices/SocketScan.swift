import Control
import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO

/// A running keychain or bridge, or a socket that nobody answers at.
struct FoundSocket: Encodable, Equatable {
  enum Kind: String, Encodable { case keychain, bridge, unknown }

  struct Keychain: Encodable, Equatable {
    let device: String
    /// What to give to `--device`.
    let spec: String
    /// Per cent; nil: it has no battery.
    let battery: UInt8?
    let linked: Bool
    let powered: Bool
    let plugged: Bool
    /// What the firmware shows; nil without power.
    let shown: String?
    let unacked: Int?
    let gps: String?
  }

  struct Bridge: Codable, Equatable {
    struct Link: Codable, Equatable {
      let device: String
      let batteryPercent: UInt8?
    }

    let state: String
    let links: [Link]
    let storageFailure: String?
  }

  let socket: String
  let kind: Kind
  var keychain: Keychain?
  var bridge: Bridge?
  /// Why it did not answer, and what to do.
  var problem: String?
}

/// Asks every control socket of a folder who is there.
struct SocketScan {
  let folder: String

  /// One control socket may have many keychains behind it.
  private struct FleetAnswer: Decodable { let keychains: [EmulatorState] }

  private struct BridgeAnswer: Decodable { let status: FoundSocket.Bridge }

  func sockets() -> [FoundSocket] { paths.flatMap(ask) }

  /// Those that stand there, whether somebody answers or not.
  var paths: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".sock") }.sorted().map { "\(folder)/\($0)" }
  }

  private func ask(_ path: String) -> [FoundSocket] {
    do {
      let client = try ControlClient(path: path)
      let state = try client.request(#"{"do":"state","all":true}"#, timeout: .seconds(2))
      if let answer = Self.read(FleetAnswer.self, state) {
        return answer.keychains.map { Self.keychain(path, $0) }
      }
      let status = try client.request(#"{"do":"status"}"#, timeout: .seconds(2))
      if let answer = Self.read(BridgeAnswer.self, status) {
        return [FoundSocket(socket: path, kind: .bridge, bridge: answer.status)]
      }
      let words = Self.read(ControlVerdict.self, state)?.error
      return [
        FoundSocket(
          socket: path, kind: .unknown, problem: words ?? "it answers neither state nor status")
      ]
    } catch {
      return [FoundSocket(socket: path, kind: .unknown, problem: Self.words(error))]
    }
  }

  private static func keychain(_ path: String, _ answer: EmulatorState) -> FoundSocket {
    let spec = answer.link.hasPrefix("/") ? "pty:\(answer.link)" : answer.link
    return FoundSocket(
      socket: path, kind: .keychain,
      keychain: FoundSocket.Keychain(
        device: answer.device, spec: spec, battery: answer.battery, linked: answer.linked,
        powered: answer.powered, plugged: answer.plugged, shown: answer.shown,
        unacked: answer.unacked, gps: answer.gps))
  }

  private static func words(_ error: any Error) -> String {
    guard let failure = error as? IOFailure else { return "\(error)" }
    return failure.errno == ECONNREFUSED
      ? "nobody listens: a process that was killed has left it; the next one replaces it"
      : "\(failure)"
  }

  private static func read<Answer: Decodable>(_ type: Answer.Type, _ line: String) -> Answer? {
    try? JSONDecoder().decode(type, from: Data(line.utf8))
  }
}
