import AlertCore
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

@testable import Console

/// The log as it grows (R56, R58).
struct EventStreamTests {
  @Test func `a new client learns what is true, then each line with its id`() async throws {
    try await Rig.run { rig in
      rig.core.trail.add("before")
      let (port, token, trail) = (rig.port, rig.token[.observe]!, rig.core.trail)
      let events = try await blocking {
        let reader = try EventReader(RawClient(port: port), token: token)
        var events = try reader.next()
        trail.add("linkUp", device: BenchCore.device.text)
        trail.add("incidentOpened", incident: BenchCore.incident(.emergencySent).id.description)
        while events.count < 3 { events += try reader.next() }
        return events
      }
      #expect(events.map(\.name) == ["status", "linkUp", "incidentOpened"])
      #expect(events.map(\.id) == [1, 2, 3])
      #expect(try JSONValue(Data(events[0].data.utf8))["summary"]?.text == "All good!")
      #expect(try JSONValue(Data(events[1].data.utf8))["link"] == nil)
      #expect(try JSONValue(Data(events[2].data.utf8))["link"]?.text == "/#alarm")
      let line = try JSONDecoder().decode(LogEntry.self, from: Data(events[2].data.utf8))
      #expect(line.id == 3 && line.name == "incidentOpened")
    }
  }

  @Test func `a stream ends with its token, and tells nothing that comes after`() async throws {
    try await Rig.run { rig in
      let book = TokenBook(folder: rig.folder.path)
      let (token, text) = try book.create(name: "phone", scope: .observe)
      let (port, trail) = (rig.port, rig.core.trail)
      let events = try await blocking {
        let reader = try EventReader(RawClient(port: port), token: text)
        var events = try reader.next()
        try book.revoke(id: token.id)
        trail.add("linkUp", device: BenchCore.device.text)
        while true {
          let more = try reader.next()
          if more.isEmpty { return events }
          events += more
        }
      }
      #expect(events.map(\.name) == ["status", "dropped"])
      #expect(events.last?.data.contains("revoked") == true)
    }
  }

  @Test func `a browser may hear every line by one name`() async throws {
    try await Rig.run { rig in
      let (port, token, trail) = (rig.port, rig.token[.observe]!, rig.core.trail)
      let events = try await blocking {
        let reader = try EventReader(
          RawClient(port: port), token: token, path: "/v1/events?form=line")
        var events = try reader.next()
        trail.add("linkUp", device: BenchCore.device.text)
        while events.count < 2 { events += try reader.next() }
        return events
      }
      #expect(events.map(\.name) == ["status", "line"])
      let line = try JSONDecoder().decode(LogEntry.self, from: Data(events[1].data.utf8))
      #expect(line.id == events[1].id && line.name == "linkUp")
    }
  }

  /// The connection is killed at a random byte, again and again; the writer never waits.
  @Test func `a client that is cut off again and again sees each line once, in order`() async throws
  {
    let count: Int64 = Soak.isOn ? 20_000 : 1_000
    try await Rig.run { rig in
      let (port, token, trail) = (rig.port, rig.token[.observe]!, rig.core.trail)
      let writing = Task {
        for n in 0..<count {
          trail.add("line \(n)")
          if n % 10 == 0 { await Task.yield() }
        }
      }
      let (seen, cuts) = try await blocking {
        var generator = SeededGenerator(seed: 7)
        var seen: [Int64] = []
        var cuts = 0
        while seen.last ?? 0 < count {
          let client = try RawClient(port: port)
          let reader = try EventReader(client, token: token, after: seen.last ?? 0)
          for _ in 0..<Int.random(in: 0...6, using: &generator) where seen.last ?? 0 < count {
            let size = Int.random(in: 1...4_000, using: &generator)
            seen += reader.take(try client.receive(size)).compactMap(\.id)
          }
          client.reset()
          cuts += 1
        }
        return (seen, cuts)
      }
      await writing.value
      #expect(seen == Array(1...count))
      #expect(cuts > 10)
    }
  }

  @Test func `a client sees what concerns its device alone`() async throws {
    try await Rig.run { rig in
      let (port, token, trail) = (rig.port, rig.token[.observe]!, rig.core.trail)
      let own = BenchCore.device.text
      for n in 1...20 {
        trail.add("n\(n)", device: n % 3 == 0 ? own : DeviceID.bench(9).text)
      }
      let ids = try await blocking {
        let reader = try EventReader(
          RawClient(port: port), token: token, path: "/v1/events?device=\(own)&after=4")
        var ids: [Int64?] = []
        while ids.count < 5 { ids += try reader.next().map(\.id) }
        return ids
      }
      #expect(ids == [6, 9, 12, 15, 18])
    }
  }

  @Test func `an idle stream says that it lives, and ends with a stop`()
    async throws
  {
    let rig = try await Rig { $0.heartbeat = .milliseconds(100) }
    let (port, token) = (rig.port, rig.token[.observe]!)
    let heard = Gathered<Int>()
    let reading = Task {
      try await blocking {
        let reader = try EventReader(RawClient(port: port), token: token)
        _ = try reader.next()
        var last: [EventReader.Event] = []
        while reader.comments < 3 { _ = reader.take(try reader.client.receive()) }
        heard.put(reader.comments)
        while true {
          let events = try reader.next()
          if events.isEmpty { return last }
          last = events
        }
      }
    }
    try await blocking { try heard.wait("three heartbeats") { !heard.all.isEmpty } }
    let began = BootClock.now()
    await rig.server.stop()
    // Two at the most where nothing else runs; here another program may keep the machine busy.
    #expect(BootClock.now() - began < .seconds(20))
    _ = try await reading.value
  }

  @Test func `a client that does not read is dropped with a reason, and resumes`() async throws {
    let rig = try await Rig { $0.streamPatience = .milliseconds(300) }
    let (port, token, trail) = (rig.port, rig.token[.observe]!, rig.core.trail)
    let detail = String(repeating: "x", count: 150)
    let client = try RawClient(port: port, receiveBuffer: 4_096)
    let first = try await blocking {
      let reader = try EventReader(client, token: token)
      return try reader.next()
    }
    #expect(first.map(\.name) == ["status"])
    let deadline = BootClock.now() + .seconds(15)
    while BootClock.now() < deadline, try await dropped(rig, "slow") == 0 {
      for _ in 0..<2_000 { trail.add(detail) }
      await Task.yield()
    }
    #expect(try await dropped(rig, "slow") == 1)
    let last = trail.last
    let seen = try await blocking {
      var seen: [Int64] = []
      while seen.last ?? 0 < last {
        let reader = try EventReader(RawClient(port: port), token: token, after: seen.last ?? 0)
        // Where this reader is too slow, too, it is dropped as well, and goes on.
        while seen.last ?? 0 < last {
          let events = try reader.next()
          if events.isEmpty { break }
          seen += events.compactMap(\.id)
        }
      }
      return seen
    }
    #expect(seen == Array(1...last))
    await rig.server.stop()
  }

  private func dropped(_ rig: Rig, _ reason: String) async throws -> Int {
    let line = try await rig.ask("GET", "/metrics").text.split(separator: "\n")
      .first { $0.hasPrefix("fob_event_streams_ended_total{reason=\"\(reason)\"}") }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  @Test func `an idle client that leaves is noticed`() async throws {
    try await Rig.run { rig in
      let (port, token) = (rig.port, rig.token[.observe]!)
      for _ in 0..<5 {
        try await blocking {
          let client = try RawClient(port: port)
          _ = try EventReader(client, token: token).next()
          client.reset()
        }
      }
      let deadline = BootClock.now() + .seconds(10)
      while try await dropped(rig, "left") < 5, BootClock.now() < deadline { await Task.yield() }
      #expect(try await dropped(rig, "left") == 5)
    }
  }

  @Test func `there are so many streams and no more`() async throws {
    let rig = try await Rig { $0.streamLimit = 2 }
    let (port, token) = (rig.port, rig.token[.observe]!)
    let open = try (0..<2).map { _ in try RawClient(port: port) }
    try await blocking {
      for client in open { _ = try EventReader(client, token: token).next() }
    }
    let answer = try await rig.ask("GET", "/v1/events")
    #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
    _ = consume open
    await rig.server.stop()
  }

  @Test func `an account has a share of the streams, and bridges find room where all are taken`()
    throws
  {
    let streams = Streams(
      limit: 32, limitOfToken: 64, patience: .seconds(10), heartbeat: .seconds(15))
    func caller(_ credential: String, _ scope: Scope, of account: Int? = nil) -> Caller {
      Caller(
        name: credential, scope: scope, account: account.flatMap { AccountNumber($0) },
        credential: .token(credential))
    }
    var open = try (0..<16).map { try streams.begin(caller("token \($0)", .observe, of: 2)) }
    let refusal = #expect(throws: Problem.self) {
      try streams.begin(caller("another", .observe, of: 2))
    }
    #expect(refusal?.code == "tooManyStreams")
    open += try (0..<16).map { _ in try streams.begin(caller("other", .observe, of: 3)) }
    let busy = #expect(throws: Problem.self) { try streams.begin(caller("core", .administer)) }
    #expect(busy?.code == "busy")
    let bridge = try streams.begin(caller("bridge", .feed))
    #expect(streams.count == 33)
    open.removeFirst()
    open.append(try streams.begin(caller("another", .observe, of: 2)))
    _ = consume bridge
    #expect(streams.count == 32)
    open = []
    #expect(streams.count == 0)
  }

  @Test func `a token has so many streams and no more, and no other token has fewer`() async throws
  {
    let rig = try await Rig { $0.streamLimitOfToken = 2 }
    let (port, token) = (rig.port, rig.token[.observe]!)
    let stays = try RawClient(port: port)
    try await blocking { _ = try EventReader(stays, token: token).next() }
    do {
      let leaves = try RawClient(port: port)
      try await blocking { _ = try EventReader(leaves, token: token).next() }
      let refused = try await rig.ask("GET", "/v1/events", as: .observe)
      #expect(refused.status == 429 && refused.headers["retry-after"] == "1")
      #expect(try refused.json(ProblemBody.self).code == "tooManyStreams")
      let other = rig.token[.operate]!
      try await blocking { _ = try EventReader(RawClient(port: port), token: other).next() }
      leaves.reset()
    }
    // One that ends makes room.
    let deadline = BootClock.now() + .seconds(20)
    while try await !rig.ask("GET", "/metrics").text.contains("fob_event_streams 1\n"),
      BootClock.now() < deadline
    {
      await Task.yield()
    }
    try await blocking {
      let reader = try EventReader(RawClient(port: port), token: token)
      #expect(try !reader.next().isEmpty)
    }
    withExtendedLifetime(stays) {}
    await rig.server.stop()
  }
}
