import Foundation
import Glibc
import SerialIO
import Testing

/// Asks a running `fob` with the administrator's token of its state folder. It starts no process:
/// one that lives on beside it would keep what it waits for.
struct Asking {
  struct Answer {
    let status: Int
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  let url: String
  private let port: UInt16
  private let token: String

  init(_ fob: RunningFob, state: String) throws {
    let found = try #require(fob.output.firstMatch(of: /page is at (http:\S+:([0-9]+))\//))
    url = String(found.output.1)
    port = try #require(UInt16(found.output.2))
    token = try String(contentsOfFile: state + "/admin-token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// - Returns: the whole answer, when the server has closed behind it.
  func tell(_ method: String, _ path: String, _ json: String? = nil) throws -> Answer {
    let socket = try LoopbackSocket(port: port)
    try socket.send(request(method, path, json, "Connection: close\r\n"))
    var bytes: [UInt8] = []
    while let more = try socket.receive() { bytes += more }
    // Let go before it had asked: as a reset, which it is where that comes a moment later.
    guard !bytes.isEmpty else { throw IOFailure("read", errno: ECONNRESET, path: url) }
    let text = String(decoding: bytes, as: UTF8.self)
    let end: [UInt8] = [13, 10, 13, 10]
    let status = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    let bodyAt = try #require(bytes.indices.first { bytes[$0...].starts(with: end) })
    return Answer(status: status, body: Array(bytes[(bodyAt + 4)...]))
  }

  /// What is there, as text.
  func ask(_ path: String) throws -> String { try must("GET", path, nil).text }

  @discardableResult
  func must(_ method: String, _ path: String, _ json: String?) throws -> Answer {
    let answer = try tell(method, path, json)
    try #require((200..<300).contains(answer.status), "\(method) \(path): \(answer.text)")
    return answer
  }

  /// What a stream of events brings, until it has all of these words; some hundred KB tell that
  /// one does not come.
  /// - Parameter act: done once the stream hears.
  func stream(_ path: String, until words: [String], then act: () throws -> Void) throws -> String {
    let socket = try LoopbackSocket(port: port)
    try socket.send(request("GET", path, nil, ""))
    var text = ""
    var hasActed = false
    func missing() -> [String] { words.filter { !text.contains($0) } }
    while !missing().isEmpty {
      let more = try #require(
        try socket.receive(), "the stream ended without \(missing()): \(text.suffix(2_000))")
      text += String(decoding: more, as: UTF8.self)
      try #require(
        text.utf8.count < 400_000, "\(missing()) does not come: \(text.prefix(20_000))")
      // Behind this the place in the stream is settled.
      if !hasActed, text.contains("retry: ") {
        hasActed = true
        try act()
      }
    }
    return text
  }

  private func request(
    _ method: String, _ path: String, _ json: String?, _ more: String
  ) -> String {
    let body = json ?? ""
    return "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(more)"
      + "Authorization: Bearer \(token)\r\n"
      + (json == nil ? "" : "Content-Type: application/json\r\n")
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}
