import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

@testable import Console

/// The bench as it goes on.
struct BenchStreamTests {
  private static let path = "/v1/bench/events"

  private static func run(
    _ feed: BenchFeed, patience: Interval = .seconds(10), _ body: (Rig) async throws -> Void
  ) async throws {
    let edit: (inout ConsoleConfiguration) -> Void = {
      $0.workbench = StandInWorkbench(feed: feed)
      $0.streamPatience = patience
    }
    try await Rig.run(edit: edit, body)
  }

  /// - Parameter last: what ends the reading.
  private static func read(
    _ rig: Rig, _ path: String, after: Int64? = nil, until last: String
  ) async throws -> [EventReader.Event] {
    let (port, token) = (rig.port, rig.token[.observe]!)
    return try await blocking {
      let reader = try EventReader(RawClient(port: port), token: token, path: path, after: after)
      var events: [EventReader.Event] = []
      while !events.contains(where: { $0.name == last }) {
        let more = try reader.next()
        if more.isEmpty { break }
        events += more
      }
      return events
    }
  }

  @Test func `a client that comes again misses nothing that is kept`() async throws {
    let feed = BenchFeed(first: 100, events: 10)
    try await Self.run(feed) { rig in
      for n in 0..<5 { feed.put(n == 4 ? "last" : "n\(n)", json: "{\"n\":\(n)}") }
      let events = try await Self.read(rig, Self.path, after: 101, until: "last")
      #expect(events.map(\.name) == ["n2", "n3", "last"])
      #expect(events.map(\.id) == [102, 103, 104])
      #expect(events[0].data == #"{"n":2}"#)
    }
  }

  @Test func `what is no longer kept is told as a gap, and then what is`() async throws {
    let feed = BenchFeed(first: 100, events: 3)
    try await Self.run(feed) { rig in
      for n in 0..<10 { feed.put(n == 9 ? "last" : "n\(n)", json: "{}") }
      let events = try await Self.read(rig, Self.path, after: 101, until: "last")
      #expect(events.map(\.name) == ["gap", "n7", "n8", "last"])
      #expect(events[0].data == #"{"lost":5}"#)
      #expect(events.map(\.id) == [106, 107, 108, 109])
    }
  }

  @Test func `an id of an earlier process leads to all that this one has, and says so`()
    async throws
  {
    let feed = BenchFeed(first: 100, events: 10)
    try await Self.run(feed) { rig in
      feed.put("last", json: "{}")
      let events = try await Self.read(rig, Self.path, after: 7, until: "last")
      #expect(events.map(\.name) == ["gap", "last"])
      #expect(events[0].data == #"{"lost":0,"restarted":true}"#)
    }
  }

  @Test func `a client that names no id hears what comes from then on`() async throws {
    let feed = BenchFeed(first: 100, events: 100)
    try await Self.run(feed) { rig in
      feed.put("before", json: "{}")
      let (port, token, path) = (rig.port, rig.token[.observe]!, Self.path)
      let events = try await blocking {
        let reader = try EventReader(RawClient(port: port), token: token, path: path)
        while reader.status == 0 { _ = reader.take(try reader.client.receive()) }
        feed.put("after", json: "{}")
        return try reader.next()
      }
      #expect(events.map(\.name) == ["after"])
    }
  }

  @Test func `frames are for those who ask for the wire, and wanted for as long as one does`()
    async throws
  {
    let feed = BenchFeed(first: 100, events: 100)
    feed.put("frame", json: "{}", isFrame: true)
    feed.put("last", json: "{}")
    try await Self.run(feed) { rig in
      let plain = try await Self.read(rig, Self.path, after: 99, until: "last")
      #expect(plain.map(\.name) == ["last"])
      let (port, token, path) = (rig.port, rig.token[.observe]!, Self.path + "?wire=1")
      let (names, isWanted) = try await blocking {
        let reader = try EventReader(RawClient(port: port), token: token, path: path, after: 99)
        return (try reader.next().map(\.name), feed.wantsFrames)
      }
      #expect(names == ["frame", "last"])
      #expect(isWanted)
      let deadline = BootClock.now() + .seconds(20)
      while feed.wantsFrames, BootClock.now() < deadline { await Task.yield() }
      #expect(!feed.wantsFrames)
    }
  }

  @Test func `a client that does not read is dropped, and nobody waits for it`() async throws {
    let feed = BenchFeed()
    try await Self.run(feed, patience: .milliseconds(300)) { rig in
      let client = try RawClient(port: rig.port, receiveBuffer: 4_096)
      let (token, path) = (rig.token[.observe]!, Self.path)
      let json = "\"" + String(repeating: "x", count: 1_000) + "\""
      // Opened when its head has come; it reads no more from then on.
      try await blocking {
        let reader = try EventReader(client, token: token, path: path)
        while reader.status == 0 { _ = reader.take(try client.receive(64)) }
      }
      let deadline = BootClock.now() + .seconds(60)
      while try await Self.dropped(rig) == 0, BootClock.now() < deadline {
        for _ in 0..<4_000 { feed.put("n", json: json) }
        await Task.yield()
      }
      #expect(try await Self.dropped(rig) == 1)
      _ = consume client
    }
  }

  private static func dropped(_ rig: Rig) async throws -> Int {
    let name = "fob_event_streams_ended_total{reason=\"slow\"}"
    let line = try await rig.ask("GET", "/metrics").text.split(separator: "\n")
      .first { $0.hasPrefix(name) }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }
}
