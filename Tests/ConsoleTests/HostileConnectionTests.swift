import AlertCore
import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

@testable import Console

/// Connections that are opened to keep others out, at a real server. The full numbers, and what
/// becomes of a press meanwhile, stand in HostileClientTests of fob.
struct HostileConnectionTests {
  private static let many = 40

  /// Idle connections from here.
  private func idle(_ count: Int, at port: Int) async throws -> [RawClient] {
    try await blocking { try (0..<count).map { _ in try RawClient(port: port) } }
  }

  /// Runs a test at a server with little room.
  private func run(
    room: Int = 16, patience: Interval = .seconds(60),
    _ body: (Rig) async throws -> Void
  ) async throws {
    try await Rig.run(
      edit: {
        $0.connectionLimit = room
        $0.patience = patience
      }, body)
  }

  /// True once the other side has closed.
  private func isClosed(_ client: RawClient) async throws -> Bool {
    try await blocking { (try? client.receive().isEmpty) ?? true }
  }

  @Test func `idle connections keep nobody out, also from their own address`() async throws {
    try await run { rig in
      let idle = try await idle(Self.many, at: rig.port)
      for _ in 0..<5 { #expect(try await rig.ask("GET", "/v1/status").status == 200) }
      #expect(try await isClosed(idle[0]))
    }
  }

  @Test func `half a head keeps nobody out`() async throws {
    try await run { rig in
      let slow = try await idle(Self.many, at: rig.port)
      try await blocking {
        for client in slow { try? client.send("GET /v1/status HTTP/1.1\r\nHost: loc") }
      }
      #expect(try await rig.ask("GET", "/v1/status").status == 200)
    }
  }

  @Test func `bodies that never come keep nobody out`() async throws {
    try await run { rig in
      let slow = try await idle(Self.many, at: rig.port)
      try await blocking {
        for client in slow {
          try? client.send(
            "POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: 100\r\n\r\n{\"code\":")
        }
      }
      #expect(try await rig.ask("GET", "/v1/status").status == 200)
    }
  }

  @Test func `a stream that is read stays, whoever knocks`() async throws {
    try await run { rig in
      let (port, token) = (rig.port, rig.token[.observe]!)
      let reader = try await blocking {
        let client = try RawClient(port: port)
        let reader = try EventReader(client, token: token)
        _ = try reader.next()
        return Held(reader)
      }
      _ = try await idle(Self.many, at: rig.port)
      #expect(try await rig.ask("GET", "/v1/status").status == 200)
      rig.core.trail.add("here")
      let events = try await blocking { try reader.value.next() }
      #expect(events.map(\.name) == ["here"])
    }
  }

  @Test func `who says nothing for too long is let go, and who has a token is not`() async throws {
    try await run(patience: .seconds(1)) { rig in
      let (port, token) = (rig.port, rig.token[.observe]!)
      let known = try await blocking {
        let client = try RawClient(port: port)
        try client.send(
          "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n")
        #expect(try client.receive().starts(with: Array("HTTP/1.1 200".utf8)))
        return client
      }
      let silent = try await idle(1, at: rig.port)[0]
      let slow = try await idle(1, at: rig.port)[0]
      try slow.send("POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
      #expect(try await isClosed(silent))
      #expect(try await isClosed(slow))
      try known.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let second = try await blocking {
        var text: [UInt8] = []
        while case let more = try known.receive(), !more.isEmpty { text += more }
        return String(decoding: text, as: UTF8.self)
      }
      #expect(second.contains("HTTP/1.1 200"))
    }
  }

  @Test func `a body that never comes and an answer that nobody takes end, with a token, too`()
    async throws
  {
    try await run(patience: .seconds(1)) { rig in
      rig.core.state.withLock { $0.padding = 8 << 20 }
      let port = rig.port
      let token = "Authorization: Bearer \(rig.token[.administer]!)\r\n"
      let slow = try await idle(1, at: port)[0]
      try slow.send(
        "POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\n\(token)"
          + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
      let deaf = try RawClient(port: port, receiveBuffer: 4_096)
      let incident = BenchCore.incident(.emergencyEnded).id
      try deaf.send(
        "GET /v1/incidents/\(incident) HTTP/1.1\r\nHost: localhost\r\n\(token)\r\n")
      #expect(try await ends(slow).isEnd)
      let deadline = BootClock.now() + .seconds(20)
      while try await !rig.ask("GET", "/metrics").text.contains(#"{reason="late"} 2"#),
        BootClock.now() < deadline
      {
        await Task.yield()
      }
      #expect(try await rig.ask("GET", "/metrics").text.contains(#"{reason="late"} 2"#))
      let (isEnd, text) = try await ends(deaf)
      #expect(isEnd && text.utf8.count < 8 << 20)
    }
  }

  @Test func `a bridge's idle connection stays, also where clients with tokens knock`() async throws
  {
    try await run { rig in
      let feed = "Authorization: Bearer \(rig.token[.feed]!)\r\n"
      let post =
        "POST /v1/feed HTTP/1.1\r\nHost: localhost\r\n\(feed)"
        + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
      let bridge = try await idle(1, at: rig.port)[0]
      try bridge.send(post)
      let first = try await blocking { try bridge.receive() }
      #expect(first.starts(with: Array("HTTP/1.1 4".utf8)))
      let knocking = try await idle(Self.many, at: rig.port)
      for client in knocking {
        try? client.send(
          "POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
            + "Authorization: Bearer \(rig.token[.administer]!)\r\n\r\n{")
      }
      for _ in 0..<10 { #expect(try await rig.ask("GET", "/v1/status").status == 200) }
      try bridge.send(post)
      let second = try await blocking { try bridge.receive() }
      #expect(second.starts(with: Array("HTTP/1.1 4".utf8)))
    }
  }

  /// Reads to the end; false: it stays open.
  private func ends(_ client: RawClient) async throws -> (isEnd: Bool, text: String) {
    try await blocking {
      var bytes: [UInt8] = []
      do {
        while case let more = try client.receive(), !more.isEmpty { bytes += more }
      } catch let failure as IOFailure {
        let text = String(decoding: bytes, as: UTF8.self)
        return (failure.errno == ECONNRESET, text)
      }
      return (true, String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `who asks again before the answer is let go, with a token, too`() async throws {
    try await run { rig in
      for more in ["", "Authorization: Bearer \(rig.token[.observe]!)\r\n"] {
        let client = try await idle(1, at: rig.port)[0]
        let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
        for _ in 0..<3 {
          try client.send(request)
          let answer = try await blocking { try client.receive() }
          #expect(answer.starts(with: Array("HTTP/1.1 200".utf8)))
        }
        try client.send(String(repeating: request, count: 20))
        let (isEnd, text) = try await ends(client)
        #expect(isEnd)
        #expect(text.components(separatedBy: "HTTP/1.1").count <= 2)
      }
    }
  }

  @Test func `a body in a few chunks is read, and one in thousands of a byte is not`() async throws
  {
    try await run { rig in
      let client = try await idle(1, at: rig.port)[0]
      let head =
        "POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
      let chunk = "1\r\n1\r\n"
      try client.send(head + String(repeating: chunk, count: 30) + "0\r\n\r\n")
      let answer = try await blocking { try client.receive() }
      #expect(answer.starts(with: Array("HTTP/1.1 422".utf8)))
      try client.send(head)
      try? client.send(String(repeating: chunk, count: 2_000))
      #expect(try await ends(client).isEnd)
    }
  }

  @Test func `two Host headers are refused, whichever comes first`() async throws {
    try await run { rig in
      let port = rig.port
      for hosts in [["localhost", "localhost"], ["localhost", "evil.example.org"]] {
        for hosts in [hosts, hosts.reversed()] {
          let answer = try await blocking {
            let client = try RawClient(port: port)
            try client.send(
              "GET /healthz HTTP/1.1\r\n" + hosts.map { "Host: \($0)\r\n" }.joined()
                + "Connection: close\r\n\r\n")
            return try client.response()
          }
          #expect(answer.status == 400, "\(hosts)")
          #expect(try answer.json(ProblemBody.self).code == "twoHosts", "\(hosts)")
        }
      }
    }
  }
}

/// Unchecked, because one thread at a time reads.
private final class Held<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
