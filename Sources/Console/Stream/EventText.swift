import AlertCore
import Foundation
import Hummingbird
import Storage

/// The text of server-sent events (HTML Living Standard, 9.2).
enum EventText {
  static let heartbeat = ByteBuffer(string: ": still here\n\n")
  /// Tells a client to reconnect 1,000 ms after a lost connection.
  static let retry = ByteBuffer(string: "retry: 1000\n\n")

  static func status(_ status: CoreStatus, id: Int64) -> ByteBuffer {
    event("status", id: id, status)
  }

  /// - Parameter isNamed: each event has its entry's name; otherwise all have the name "line". A
  ///   browser hears only events whose names it asks for.
  static func lines(_ lines: [LogEntry], isNamed: Bool) -> ByteBuffer {
    var text = ""
    for line in lines {
      let name = isNamed ? line.name : "line"
      text += "id: \(line.id)\nevent: \(name)\ndata: \(json(line))\n\n"
    }
    return ByteBuffer(string: text)
  }

  static func dropped(_ reason: String) -> ByteBuffer {
    event("dropped", id: nil, ["reason": reason])
  }

  static func event(_ name: String, id: Int64?, _ value: some Encodable) -> ByteBuffer {
    ByteBuffer(
      string: (id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: \(json(value))\n\n")
  }

  /// An entry; one of an incident has a link to the alarm view (R56).
  private static func json(_ line: LogEntry) -> String {
    String(decoding: line.json(link: line.incident == nil ? nil : "/#alarm"), as: UTF8.self)
  }

  private static func json(_ value: some Encodable) -> String {
    String(decoding: Reply.bytes(of: value), as: UTF8.self)
  }
}
