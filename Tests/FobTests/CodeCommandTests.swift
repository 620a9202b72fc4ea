import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// `fob code`, and that whoever was let in stays in: real processes.
struct CodeCommandTests {
  /// As a page asks: by its cookie and its key.
  private struct Page {
    let port: UInt16
    var cookie = ""
    var key = ""

    init(_ fob: RunningFob) throws {
      let found = try #require(fob.output.firstMatch(of: /page is at http:\S+:([0-9]+)\/#code=/))
      port = try #require(UInt16(found.output.1))
    }

    func ask(_ method: String, _ path: String, _ body: String = "") throws -> String {
      let socket = try LoopbackSocket(port: port)
      try socket.send(
        "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
          + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
          + (cookie.isEmpty ? "" : "Cookie: \(cookie)\r\nFob-Session-Key: \(key)\r\n")
          + "\r\n\(body)")
      var bytes: [UInt8] = []
      while let more = try socket.receive() { bytes += more }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// - Returns: the answer's first line.
    mutating func logIn(_ code: String) throws -> String {
      let answer = try ask("POST", "/v1/session", #"{"code":"\#(code)"}"#)
      if let set = answer.firstMatch(of: /[Ss]et-[Cc]ookie: ([^;]+);/),
        let key = answer.firstMatch(of: /"key":"([^"]+)"/)
      {
        (cookie, self.key) = (String(set.output.1), String(key.output.1))
      }
      return String(answer.prefix { !$0.isNewline })
    }
  }

  private static func start(
    _ scratch: ScratchDirectory, _ port: UInt16 = 0, _ more: [String] = []
  ) throws -> RunningFob {
    let fob = try RunningFob(
      ["run", "--listen", "127.0.0.1:\(port)", "--state", scratch.path("state")] + more,
      in: scratch, awaitsReady: false)
    try fob.awaitOutput("linked")
    return fob
  }

  private static func code(
    _ scratch: ScratchDirectory, _ more: String...
  ) throws -> (status: Int32?, output: String) {
    let fob = try RunningFob(["code"] + more, in: scratch, awaitsReady: false)
    return (fob.awaitEnd(), fob.output)
  }

  @Test func `fob code lets somebody in when a code is needed, and the one before is void`() throws
  {
    let scratch = try ScratchDirectory()
    let fob = try Self.start(scratch)
    var page = try Page(fob)
    let first = try #require(fob.output.firstMatch(of: /one-time code: (\S+)/)?.output.1)
    #expect(fob.output.contains("the page is at http://127.0.0.1:\(page.port)/#code=\(first),"))
    let state = scratch.path("state")
    let made = try Self.code(scratch, "--state", state)
    let second = try #require(made.output.firstMatch(of: /code: (\S+)/)?.output.1)
    #expect(made.status == 0 && second != first)
    #expect(made.output.hasPrefix("http://127.0.0.1:\(page.port)/#code=\(second)\n"))
    #expect(try page.logIn(String(first)).contains(" 403 "))
    #expect(try page.logIn(String(second)).contains(" 200 "))
    #expect(try page.ask("GET", "/v1/status").contains("NO_EMERGENCY"))
    let json = try Self.code(scratch, "--state", state, "--json")
    #expect(json.status == 0 && json.output.contains(#""code":""#))
    let control = try #require(fob.output.firstMatch(of: /control socket (\S+)/)?.output.1)
    #expect(try Self.code(scratch, "--socket", String(control)).status == 0)
    fob.kill9()
    let late = try Self.code(scratch, "--state", state)
    #expect(late.status != 0 && late.output.contains("no core runs at \(state)"))
  }

  @Test func `where no core runs, fob code says so, and what to do`() throws {
    let scratch = try ScratchDirectory()
    let made = try Self.code(scratch)
    #expect(made.status != 0)
    #expect(made.output.contains("no core runs at ") && made.output.contains("--state"))
  }

  @Test func `a core without a page says how to get one`() throws {
    let scratch = try ScratchDirectory()
    let core = try RunningFob(["core", "--bench"], in: scratch)
    let made = try Self.code(scratch)
    #expect(made.status != 0 && made.output.contains("--listen 127.0.0.1:8787"))
    core.interrupt()
    #expect(core.awaitEnd() == 0)
    #expect(try Self.code(scratch).output.contains("no core runs at "))
  }

  @Test func `with --json the first code is an event`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["core", "--bench", "--json", "--listen", "127.0.0.1:0", "--state", scratch.path("state")],
      in: scratch)
    let line = try #require(
      fob.output.split(separator: "\n").first { $0.contains(#""type":"page""#) })
    #expect(line.firstMatch(of: /"code":"[A-Z0-9]{8}"/) != nil)
    #expect(line.firstMatch(of: /"page":"http:\/\/127\.0\.0\.1:[0-9]+\/#code=[A-Z0-9]{8}"/) != nil)
  }

  @Test func `who was let in stays in when the core is killed in an alarm, and starts anew`() throws
  {
    let scratch = try ScratchDirectory()
    let fob = try Self.start(scratch)
    var page = try Page(fob)
    let code = try #require(fob.output.firstMatch(of: /one-time code: (\S+)/)?.output.1)
    #expect(try page.logIn(String(code)).contains(" 200 "))
    let control = try #require(fob.output.firstMatch(of: /control (\S+keychain\.sock)/)?.output.1)
    try Talk(String(control)).must(["do": "press"])
    try fob.awaitOutput("Contact 1: “")
    fob.kill9()
    let again = try Self.start(scratch, page.port)
    let status = try page.ask("GET", "/v1/status")
    #expect(status.contains(" 200 ") && status.contains(#""state":"EMERGENCY_"#))
    again.interrupt()
    #expect(again.awaitEnd() == 0)
  }
}
