import FobBase
import Foundation
import HTTPTypes
import SerialIO
import TestSupport
import Testing

@testable import Console

/// Bodies that are made to cost: what a stranger can have read at all, and what a decoder is left
/// with.
struct HostileBodyTests {
  /// Each as long as it may be, or a little less.
  static func bodies(of size: Int) -> [(name: String, bytes: [UInt8])] {
    func filled(_ start: String, _ part: String, _ end: String) -> [UInt8] {
      let count = (size - start.utf8.count - end.utf8.count) / part.utf8.count
      return Array((start + String(repeating: part, count: count) + end).utf8)
    }
    func nested(_ depth: Int) -> [UInt8] {
      let one =
        String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
      return filled("[" + one, "," + one, "]")
    }
    let keys = (0..<size / 12).map { "\"\($0)\":1" }.joined(separator: ",")
    return [
      ("nested without end", filled("", "[", "")), ("nested 500 deep", nested(min(500, size / 2))),
      ("nested 32 deep", nested(32)), ("nested 8 deep", nested(8)),
      ("objects in objects", filled("", #"{"a":"#, "")),
      ("many integers", filled("[1", ",1", "]")), ("many nulls", filled("[1", ",null", "]")),
      ("many numbers", filled("[1", ",1.5e3", "]")), ("many texts", filled("[1", #","""#, "]")),
      ("many empties", filled("[1", ",{}", "]")), ("many keys", Array("{\(keys)}".utf8)),
      ("one key", filled(#"{"a":1"#, #","a":1"#, "}")), ("a long number", filled("[", "1", "]")),
      ("a long fraction", filled("[0.", "1", "]")), ("escapes", filled("\"", "\\u0041", "\"")),
      ("pairs of surrogates", filled("\"", "\\ud83d\\ude00", "\"")),
      ("a long text", filled("\"", "a", "\"")), ("blanks", filled("", " ", "1")),
      ("a key of escapes", filled(#"{""#, "\\u0041", #"":1}"#)),
      ("zeros", Array(repeating: 0, count: size)), ("ones", Array(repeating: 0xFF, count: size)),
    ]
  }

  private static let session = OperationTable.standard.operations.first {
    $0.name == "POST /v1/session"
  }!

  /// How long the processor works for a fixed piece of work, in ms: about 1 on a processor of 2024
  /// in a debug build.
  private static func pace() -> Double {
    let began = ThreadClock.nanoseconds()
    var sum: UInt64 = 1
    for number in 0..<UInt64(5_000) { sum = sum &* 31 &+ number }
    let ended = ThreadClock.nanoseconds()
    return sum == 0 ? .infinity : Double(ended - began) / 1e6
  }

  /// How long the processor works for one body, counted in paces: the least of some, since beside
  /// others a processor is slower, and the first of all reads the program.
  private func cost(_ bytes: [UInt8], _ schema: JSONSchema, atMost most: Double) -> Double {
    let data = Data(bytes)
    var least = Double.infinity
    for _ in 0..<10 where least >= most {
      let before = Self.pace()
      let began = ThreadClock.nanoseconds()
      _ = try? RequestContent.checked(data, schema)
      let ended = ThreadClock.nanoseconds()
      least = min(least, Double(ended - began) / 1e6 / max(before, Self.pace()))
    }
    return least
  }

  @Test func `no body costs much, and a stranger's next to nothing`() throws {
    var lines: [String] = []
    for (size, most) in [(Self.session.most, 20.0), (ConsoleLimits.body, 50.0)] {
      for (name, bytes) in Self.bodies(of: size) {
        try #require(bytes.count <= size, "\(name): \(bytes.count)")
        let cost = cost(bytes, .open(), atMost: most)
        lines.append("\(name), \(bytes.count) bytes: \(String(format: "%.2f", cost)) paces")
        #expect(cost < most, "\(name) of \(bytes.count) bytes")
      }
    }
    if Soak.isOn { print(lines.joined(separator: "\n")) }
  }

  @Test func `what needs no token reads 512 bytes at the most`() {
    for operation in OperationTable.standard.operations where operation.scope == nil {
      if case .nothing = operation.form { continue }
      #expect(operation.most == 512, "\(operation.name)")
    }
  }

  @Test func `a body that is too large is refused before it is asked whose it is`() async throws {
    try await Rig.run { rig in
      for operation in OperationTable.standard.operations {
        if case .nothing = operation.form { continue }
        let answer = try await rig.send(
          operation.method.rawValue, AuthorizationTests.path(of: operation),
          headers: ["Content-Type": "application/json", "Content-Length": "\(operation.most + 1)"])
        #expect(answer.status == 413, "\(operation.name)")
        #expect(try answer.json(ProblemBody.self).code == "tooLarge", "\(operation.name)")
      }
    }
  }

  @Test func `a body that is not announced is read to its limit, and no further`() async throws {
    try await Rig.run { rig in
      let port = rig.port
      let answer = try await blocking {
        let client = try RawClient(port: port)
        try client.send(
          "POST /v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "200\r\n" + String(repeating: "[", count: 512) + "\r\n1\r\n[\r\n0\r\n\r\n")
        return try client.response()
      }
      #expect(answer.status == 413)
    }
  }

  @Test(arguments: [
    (String(repeating: "[", count: 33) + String(repeating: "]", count: 33), 400, "tooDeep"),
    ("[" + String(repeating: "1,", count: 2_048) + "1]", 413, "tooLarge"),
    (#"{"name":"# + String(repeating: "1", count: 65) + "}", 400, "noJSON"),
    ("\u{0}", 400, "noJSON"), (#"{"name":"A","name":"B"}"#, 422, "invalid"),
    (#"{"name":"A","n\u0061me":"B"}"#, 422, "invalid"),
    (#"{"name":"A","numbers":[{"number":"1","number":"2"}]}"#, 422, "invalid"),
  ])
  func `what is too deep or too wide, or says a thing twice, is refused by name`(
    body: String, status: Int, code: String
  ) async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask("POST", "/v1/contacts", json: body)
      #expect(answer.status == status)
      #expect(try answer.json(ProblemBody.self).code == code)
    }
  }
}
