import Foundation
import Glibc
import Testing

/// Debian's mosquitto on a port of this host, with what was published on all of its topics since
/// somebody began to listen.
public final class Broker: Sendable {
  public struct Message: Sendable, Equatable {
    public let topic: String
    public let payload: String

    /// The payload as JSON; empty for anything else.
    public func json() -> [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]) ?? [:]
    }
  }

  public let port: UInt16
  public let heard = Gathered<Message>()
  private let folder: ScratchDirectory
  private let process = HeldProgram()
  private let listener = HeldProgram()
  /// The broker's own words, of all its runs.
  private let said = Gathered<String>()

  /// - Parameter settings: further lines of its configuration.
  public init(_ settings: String = "allow_anonymous true", in folder: ScratchDirectory) throws {
    self.folder = folder
    port = try Self.freePort()
    try """
    user root
    listener \(port) 127.0.0.1
    persistence true
    persistence_location \(folder.path)/
    autosave_interval 1
    autosave_on_changes true
    \(settings)

    """.write(toFile: folder.path("mosquitto.conf"), atomically: true, encoding: .utf8)
    try start()
  }

  deinit {
    listener.kill()
    process.kill()
  }

  /// Starts it, or starts it again.
  public func start() throws {
    let earlier = said.all.count
    try process.start(Tool.path("mosquitto"), ["-c", folder.path("mosquitto.conf"), "-v"]) {
      [said] in
      said.put($0)
    }
    try said.wait("the broker runs") {
      said.all.dropFirst(earlier).contains { $0.hasSuffix(" running") }
    }
  }

  /// Without a goodbye to anybody.
  public func kill() { process.kill() }

  /// Listens from now on, to what the broker keeps first.
  /// - Parameter topics: a filter.
  public func listen(to topics: String = "#") throws {
    let client = "listener-\(said.all.count)"
    let arguments = ["-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv5", "-q", "1", "-i", client]
    try listener.start(Tool.path("mosquitto_sub"), arguments + ["-t", topics, "-F", "%t %p"]) {
      [heard] line in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      heard.put(Message(topic: parts.first ?? "", payload: parts.count > 1 ? parts[1] : ""))
    }
    try said.wait("somebody has subscribed") {
      said.all.contains { $0.hasSuffix("Sending SUBACK to \(client)") }
    }
  }

  public func publish(_ payload: String, to topic: String) throws {
    _ = try Tool.output(
      "mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv5", "-q", "1", "-t", topic, "-m", payload])
  }

  /// What was heard on a topic, in order.
  public func heard(on topic: String) -> [Message] { heard.all.filter { $0.topic == topic } }

  private static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isFree = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, size) == 0 && getsockname(number, $0, &size) == 0
      }
    }
    try #require(isFree)
    return UInt16(bigEndian: address.sin_port)
  }
}
