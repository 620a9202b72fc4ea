import AlertCore
import Bridge
import Console
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

/// 500 is for faults of this server: whatever a client sends, on a live core.
@Suite(.serialized) struct ClientFaultTests {
  private struct Fault {
    let method: String
    let path: String
    var body: [UInt8] = []
    var headers: [String: String] = [:]

    init(_ method: String, _ path: String, _ body: [UInt8] = [], _ headers: [String: String] = [:])
    {
      self.method = method
      self.path = path
      self.body = body
      self.headers = headers
    }
  }

  private static let disarm = "/v1/incidents/current/disarm"

  /// Bodies that are no JSON, or too much of one.
  private static let bodies: [[UInt8]] =
    [
      #"{"pin":1e999}"#, #"{"pin":-1e-999}"#, #"{"pin":123456789012345678901234567890}"#,
      #"{"pin":"\ud800"}"#, #"{"pin":"\u0000"}"#, #"{"pin":"1234","pin":[]}"#, #"{"":""}"#,
      #"{"pin":{"pin":{"pin":null}}}"#, "\u{FEFF}{}", "nul", "-", "1", "\"\"", "{}{}", "[[[[[[[[",
      #"{"source":"fall","device":"8000000000000001","key":""}"#,
      #"{"contact":"\#(String(repeating: "a", count: 60_000))"}"#,
      #"{"zone":"../../etc/passwd"}"#, #"{"zone":""}"#, #"{"mobile":"+0"}"#, #"{"country":"ZZ"}"#,
      #"{"places":[{"latitude":9e307,"longitude":-9e307,"name":"a"}]}"#,
      #"{"bridge":"0000000000000000","line":0,"sequence":9223372036854775807,"inputs":[]}"#,
      #"{"bridge":"0000000000000000","line":0,"sequence":0,"inputs":[],"#
        + #""echo":{"clock":9223372036854775807,"held":9223372036854775807}}"#,
    ].map { Array($0.utf8) }
    + [
      [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], Array(#"{"pin":""#.utf8) + [0xC3, 0x28, 0x22, 0x7D],
      Array(#"{"code":""#.utf8) + [0xED, 0xA0, 0x80, 0x22, 0x7D], [0], [0x80],
    ]

  private static let paths = [
    "/%", "/%ff", "//", "/v1/%00", "/v1/incidents/%ff", "/v1/incidents/%zz",
    "/v1/incidents/ffffffffffffffff-ffffffff-ffffffffffffffff",
    "/v1/devices/%E0%80%AF/claim", "/v1/contacts/\(String(repeating: "a", count: 4_000))",
    "/v1/log?limit=99999999999999999999", "/v1/log?limit=%ff", "/v1/log?limit=1&limit=x",
    "/v1/log?after=9223372036854775807", "/v1/log?device=", "/v1/log?=", "/v1/log?%", "/v1/log?&&",
    "/v1/incidents?before=ffffffffffffffff-ffffffff-ffffffffffffffff", "/v1/account/confirm",
    "/v1/account/confirm?token=%ff", "/ack/%ff", "/ack/.", "/ack/YQ.YQ",
    "/v1/bench/capture?device=%00",
    "/v1/feed/stream", "/v1/feed/stream?bridge=x",
    "/v1/status?\(String(repeating: "a=b&", count: 2_000))",
  ]

  private static var faults: [Fault] {
    let json = ["Content-Type": "application/json"]
    var faults = paths.flatMap { path in ["GET", "POST", "PUT", "DELETE"].map { Fault($0, path) } }
    for (method, path) in [
      ("POST", disarm), ("POST", "/v1/session"), ("POST", "/v1/triggers"), ("POST", "/v1/feed"),
      ("POST", "/v1/account"), ("PATCH", "/v1/account"), ("POST", "/v1/contacts"),
      ("PUT", "/v1/account/pin"), ("POST", "/v1/incidents/current/acknowledge"),
      ("POST", "/v1/incidents/current/survey"), ("POST", "/v1/contacts/import"),
    ] {
      faults += bodies.map { Fault(method, path, $0, json) }
    }
    for type in ["text/csv", "text/vcard"] {
      faults += bodies.map { Fault("POST", "/v1/contacts/import", $0, ["Content-Type": type]) }
    }
    faults += [
      Fault("GET", "/v1/status", [], ["Authorization": "Bearer \u{0}"]),
      Fault("GET", "/v1/status", [], ["Authorization": ""]),
      Fault("GET", "/v1/status", [], ["Cookie": "fob=;;;=;fob"]),
      Fault("GET", "/v1/status", [], ["Accept-Encoding": ";;q=,gzip;q=x"]),
      Fault("GET", "/", [], ["If-None-Match": "\",,W/"]),
      Fault("POST", disarm, [], ["Content-Type": ";;;", "Content-Length": "0"]),
      Fault("BREW", "/v1/status"), Fault("GET", "*"), Fault("OPTIONS", "*"),
    ]
    return faults
  }

  @Test func `nothing that a client sends is answered as a fault of this server`() async throws {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let bridge = try AlertBridge(account: .none, store: store, sinks: []) { _ in }
    try bridge.start([])
    let feedServer = try FeedServer(bridge)
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store)) { $0.feed = feedServer }
    let token = rig.token[.administer]!
    for fault in Self.faults {
      let headers = ["Authorization": "Bearer \(token)"].merging(fault.headers) { $1 }
      let answer = try? await rig.send(
        fault.method, fault.path, headers: headers, body: fault.body)
      // Nil: what is no HTTP at all is not answered.
      if let status = answer?.status {
        #expect(
          status < 500 || status == 501 || status == 505,
          "\(fault.method) \(fault.path.prefix(80)) \(fault.body.prefix(80)): \(status)"
        )
      }
    }
    try await leavesInTheMiddle(rig)
    feedServer.stop()
    await rig.server.stop()
    bridge.stop()
  }

  /// A client that leaves is not answered; what is counted is not a fault of this server, either.
  private func leavesInTheMiddle(_ rig: Rig) async throws {
    let (port, token) = (rig.port, rig.token[.administer]!)
    try await blocking {
      let client = try RawClient(port: port)
      try client.send(
        "PATCH /v1/contacts/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
          + "Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{\"name\":")
    }
    let deadline = BootClock.now() + .seconds(20)
    let cut = #"fob_http_requests_total{method="PATCH",route="/v1/contacts/{id}",status="400"} 1"#
    var page = ""
    repeat {
      page = try await rig.ask("GET", "/metrics").text
    } while !page.contains(cut) && BootClock.now() < deadline
    #expect(page.contains(cut))
    #expect(!page.contains(#"status="500""#))
  }
}
