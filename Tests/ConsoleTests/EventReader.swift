import Foundation
import Glibc

/// A client of the event stream, on whatever thread calls it.
final class EventReader {
  struct Event: Equatable, Sendable {
    var id: Int64?
    var name = ""
    var data = ""
  }

  let client: RawClient
  private var held: [UInt8] = []
  private var chunks = Chunks()
  private var isInBody = false
  private var text: [UInt8] = []
  private(set) var comments = 0
  private(set) var status = 0

  init(
    _ client: RawClient, token: String, path: String = "/v1/events", after: Int64? = nil
  ) throws {
    self.client = client
    try client.send(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
        + (after.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n")
  }

  /// The events that have come, at least one; empty at the end of the stream.
  func next() throws -> [Event] {
    while true {
      let bytes = try client.receive()
      if bytes.isEmpty { return [] }
      let events = take(bytes)
      if !events.isEmpty { return events }
    }
  }

  func take(_ bytes: [UInt8]) -> [Event] {
    if !isInBody {
      held += bytes
      let end: [UInt8] = [13, 10, 13, 10]
      guard let headEnd = held.indices.first(where: { held[$0...].starts(with: end) }) else {
        return []
      }
      status = Int(String(decoding: held[9..<12], as: UTF8.self)) ?? 0
      isInBody = true
      text += chunks.take(Array(held[(headEnd + 4)...]))
    } else {
      text += chunks.take(bytes)
    }
    return events()
  }

  private func events() -> [Event] {
    var events: [Event] = []
    while let end = zip(text.indices, text.indices.dropFirst())
      .first(where: { text[$0] == 10 && text[$1] == 10 })?.0
    {
      var event = Event()
      for line in String(decoding: text[..<end], as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix(":") { comments += 1 }
        if line.hasPrefix("id: ") { event.id = Int64(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
      }
      text.removeFirst(end + 2)
      if !event.name.isEmpty { events.append(event) }
    }
    return events
  }
}
