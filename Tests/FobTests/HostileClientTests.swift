import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

/// Strangers at the API of a core that a bridge elsewhere feeds: whatever they do without a token,
/// a press is told and a disarm is answered, real processes. In full counts with FOB_SOAK=1, where
/// the times count, too: else others may be at work on this machine.
@Suite(.serialized) struct HostileClientTests {
  enum Attack: String, CaseIterable, CustomTestStringConvertible {
    case nestedArrays = "nested arrays, sent again and again by 8 clients"
    case wideBodies = "bodies of as many bytes and values as may be, by 8 clients"
    case idleConnections = "4,096 idle connections"
    case waitingRequests = "4,096 requests that wait for their turn"
    case slowHeads = "4,096 heads of requests that never end"
    case slowBodies = "4,096 bodies that never come"
    case manyRequests = "requests of all kinds without a token, by 8 clients"
    case wrongTokens = "tokens that are none, by 8 clients"
    case unawaited = "requests that await no answer, by 8 clients"
    case unawaitedDocuments = "requests of the document that await no answer, by 8 clients"
    case manyChunks = "bodies in chunks of a byte, by 8 clients"
    case keptAlive = "300 connections that ask again after each answer"

    var testDescription: String { rawValue }
  }

  private static let descriptors = 1_024
  private static let connections = Soak.isOn ? 4_096 : 1_200
  private static let told = Interval.milliseconds(Soak.isOn ? 500 : 10_000)
  private static let answered = Interval.milliseconds(Soak.isOn ? 1_000 : 10_000)

  @Test(arguments: Attack.allCases)
  func `a press is told and a disarm answered while strangers do harm`(attack: Attack) throws {
    DescriptorLimit.raise()
    let rig = try RemoteRig(descriptors: Self.descriptors)
    try rig.expect("the link") { try rig.links() == 1 }
    let strangers = Strangers(attack, port: rig.port, connections: Self.connections)
    defer { strangers.stop() }
    try strangers.awaitHarm()
    for round in 0..<(Soak.isOn ? 5 : 1) {
      let pressed = WallClock.now()
      let event = try rig.press()
      try rig.expect("the press to be told") { try rig.incidentsTold() > round }
      let told = Interval.microseconds(try rig.lastTold() - pressed)
      try rig.awaitAck(event)
      let disarmed = BootClock.now()
      let answer = try rig.asking().tell(
        "POST", "/v1/incidents/current/disarm", #"{"pin":"4711"}"#)
      let answered = BootClock.now() - disarmed
      #expect(answer.status == 200, "\(answer.text)")
      _ = try rig.asking().must("POST", "/v1/incidents/current/resume", "{}")
      print(
        "\(attack.rawValue): told after \(told.microseconds / 1_000) ms, disarmed after"
          + " \(answered.microseconds / 1_000) ms, \(strangers.asked) asked")
      #expect(told <= Self.told)
      #expect(answered <= Self.answered)
    }
    #expect(strangers.asked > 0)
  }
}

/// Clients without a token, on threads of their own, until they are stopped.
private final class Strangers: Sendable {
  private struct State {
    var asked = 0
    /// Connections that were opened, or requests that were answered.
    var harm = 0
    var isOver = false
    var held: [OwnedSocket] = []
  }

  private let state = Mutex(State())
  private let wanted: Int
  private let port: UInt16
  private let threads = Mutex<[BlockingThread]>([])

  init(_ attack: HostileClientTests.Attack, port: UInt16, connections: Int) {
    self.port = port
    switch attack {
    case .idleConnections: wanted = connections
    case .slowHeads, .slowBodies, .waitingRequests: wanted = connections
    default: wanted = 16
    }
    switch attack {
    case .idleConnections: open(connections, "")
    case .waitingRequests: open(connections, Self.head("GET", "/healthz", ""))
    case .slowHeads: open(connections, "GET /healthz HTTP/1.1\r\nHost: local")
    case .slowBodies:
      open(connections, Self.head("POST", "/v1/session", "Content-Length: 400\r\n") + "{\"code\":")
    case .nestedArrays:
      let size = 65_000
      let text = String(repeating: "[", count: size / 2) + String(repeating: "]", count: size / 2)
      let part = String(repeating: "[", count: 250) + String(repeating: "]", count: 250)
      repeatedly([
        Self.post("/v1/session", text), Self.post("/v1/session", "[\(part)]"),
        Self.post("/v1/session", "[" + String(repeating: part + ",", count: 128) + part + "]"),
      ])
    case .wideBodies:
      repeatedly([
        Self.post("/v1/session", "[1" + String(repeating: ",1", count: 250) + "]"),
        Self.post("/v1/session", "[" + String(repeating: "\"\",", count: 160) + "0]"),
        Self.post("/v1/session", "\"" + String(repeating: "\\u0041", count: 80) + "\""),
      ])
    case .manyRequests:
      repeatedly(
        [
          "/", "/healthz", "/readyz", "/v1/openapi.json", "/v1/status", "/ack/none", "/none",
          "/v1/account/confirm?token=none", "/metrics",
        ].map { Self.head("GET", $0, "Connection: close\r\n") })
    case .wrongTokens:
      repeatedly([
        Self.head(
          "POST", "/v1/incidents/current/disarm",
          "Authorization: Bearer fob_none\r\nContent-Length: 14\r\nConnection: close\r\n")
          + #"{"pin":"0000"}"#,
        Self.head(
          "POST", "/v1/feed",
          "Authorization: Bearer fob_none\r\nContent-Length: 2\r\nConnection: close\r\n") + "{}",
      ])
    case .unawaited: endlessly("", Self.head("GET", "/healthz", "") * 100)
    case .unawaitedDocuments: endlessly("", Self.head("GET", "/v1/openapi.json", "") * 8)
    case .manyChunks:
      endlessly(
        Self.head("POST", "/v1/session", "Transfer-Encoding: chunked\r\n"), "1\r\n1\r\n" * 2_000)
    case .keptAlive: inTurns(300, Self.head("GET", "/healthz", ""))
    }
  }

  var asked: Int { state.withLock { $0.asked } }

  /// Returns when it is under way.
  func awaitHarm() throws {
    let deadline = BootClock.now() + .seconds(60)
    while state.withLock({ $0.harm < wanted }) {
      try #require(BootClock.now() < deadline, "\(state.withLock { $0.harm }) of \(wanted)")
      usleep(2_000)
    }
  }

  func stop() {
    state.withLock { $0.isOver = true }
    let ending = threads.withLock { $0 }
    for thread in ending { _ = thread.join(within: .seconds(70)) }
    state.withLock { $0.held = [] }
  }

  private static func head(_ method: String, _ path: String, _ more: String) -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(more)\r\n"
  }

  private static func post(_ path: String, _ body: String) -> String {
    head("POST", path, "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n") + body
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private func start(_ body: @escaping @Sendable () -> Void) {
    let thread = try? BlockingThread(name: "stranger", body)
    if let thread { threads.withLock { $0.append(thread) } }
  }

  /// Opens so many connections, says that much on each, and then opens another whenever it can.
  private func open(_ count: Int, _ text: String) {
    start { [self] in
      while !isOver {
        guard let held = try? OwnedSocket(port: port, saying: text) else {
          usleep(1_000)
          continue
        }
        let isEnough = state.withLock { state in
          state.held.append(held)
          (state.asked, state.harm) = (state.asked + 1, state.harm + 1)
          return state.harm >= count
        }
        // As many as there may be are held; those that were let go come again.
        if isEnough {
          usleep(5_000)
          state.withLock { _ = $0.held.removeFirst() }
        }
      }
    }
  }

  /// Asks by eight clients, one after the other on each.
  private func repeatedly(_ requests: [String]) {
    for client in 0..<8 {
      start { [self] in
        var next = client
        while !isOver {
          ask(requests[next % requests.count])
          next += 1
        }
      }
    }
  }

  /// Says the first text on each of eight connections, and then the other for ever; what is
  /// answered is read when it is there.
  private func endlessly(_ first: String, _ rest: String) {
    for _ in 0..<8 {
      start { [self] in
        while !isOver {
          guard let socket = try? OwnedSocket(port: port, saying: first) else { continue }
          while !isOver, socket.says(rest) { isAsked() }
        }
      }
    }
  }

  /// On so many connections one request, then so many answers, and so on.
  private func inTurns(_ count: Int, _ request: String) {
    start { [self] in
      var sockets: [OwnedSocket?] = Array(repeating: nil, count: count)
      while !isOver {
        for index in sockets.indices where sockets[index]?.says(request) != true {
          sockets[index] = try? OwnedSocket(port: port, saying: request)
        }
        for index in sockets.indices where !isOver {
          if sockets[index]?.hasAnswer != true { sockets[index] = nil }
          isAsked()
        }
      }
    }
  }

  private func isAsked() {
    state.withLock { ($0.asked, $0.harm) = ($0.asked + 1, $0.harm + 1) }
  }

  private func ask(_ request: String) {
    guard let socket = try? OwnedSocket(port: port, saying: request) else { return }
    state.withLock { $0.asked += 1 }
    socket.awaitEnd()
    state.withLock { $0.harm += 1 }
  }
}

private final class OwnedSocket: Sendable {
  private let socket: LoopbackSocket

  init(port: UInt16, saying text: String) throws {
    socket = try LoopbackSocket(port: port)
    // Whoever is let go meanwhile has said it in vain.
    try? socket.send(text)
  }

  func awaitEnd() {
    while let more = try? socket.receive(), !more.isEmpty {}
  }

  /// False: the connection is over.
  func says(_ text: String) -> Bool {
    do {
      try socket.send(text)
      try socket.discard()
      return true
    } catch {
      return false
    }
  }

  /// Waits for some of it.
  var hasAnswer: Bool { (try? socket.receive()) ?? nil != nil }
}

extension String {
  fileprivate static func * (text: String, count: Int) -> String {
    String(repeating: text, count: count)
  }
}
