import Bridge
import FobBase
import Foundation
import Glibc
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Console

/// Many clients of the event stream at one time, on a real store: each on its own device, and ten
/// on everything.
@Suite(.serialized) struct StreamLoadTests {
  private static let clients = Soak.isOn ? 1_000 : 50
  private static let presses = Soak.isOn ? 10_000 : 500
  private static let linesOfAPress: Int64 = 5
  private static let grouping = 25

  /// What one client has yet to see: its ids follow from the order in which presses are made.
  private struct Client {
    let reader: EventReader
    /// Nil: everything.
    let device: Int?
    var seen: Int64 = 0

    /// The id of the next line.
    var next: Int64 {
      guard let device else { return seen + 1 }
      let press = Int64(device) + (seen / linesOfAPress) * Int64(clients)
      return press * linesOfAPress + seen % linesOfAPress + 1
    }

    var total: Int64 {
      let own = device == nil ? presses : (presses - device! + clients - 1) / clients
      return Int64(own) * linesOfAPress
    }

    mutating func take(_ bytes: [UInt8]) -> Bool {
      for event in reader.take(bytes) where event.name != "status" {
        guard event.id == next else { return false }
        seen += 1
      }
      return true
    }
  }

  @Test func `every client sees every state of its device in order, and memory stays flat`()
    async throws
  {
    DescriptorLimit.raise()
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let feed = try EventFeed(store: store)
    let core = BenchCore(store: store, feed: feed)
    let rig = try await Rig(core: core) { $0.streamLimitOfToken = 2_048 }
    let (port, token) = (rig.port, rig.token[.observe]!)
    let began = BootClock.now()
    let memory = try await blocking {
      var clients = try (0..<Self.clients + 10).map { index in
        let device = index < Self.clients ? index : nil
        let filter = device.map { "?device=\(Self.device($0).text)" } ?? ""
        return Client(
          reader: try EventReader(
            try RawClient(port: port), token: token, path: "/v1/events\(filter)", after: 0),
          device: device)
      }
      let writer = try BlockingThread(name: "presses") { Self.press(store, feed) }
      defer { _ = writer.join(within: .seconds(60)) }
      return try Self.read(&clients, until: BootClock.now() + .seconds(Soak.isOn ? 900 : 60))
    }
    let seconds = Double((BootClock.now() - began).microseconds) / 1e6
    print(
      "\(Self.clients) clients of one device, 10 of everything, \(Self.presses) presses:"
        + " \(String(format: "%.1f", seconds)) s, memory \(memory.early >> 20) MiB after 40 % of"
        + " the lines, \(memory.late >> 20) MiB at the end")
    if Soak.isOn { #expect(memory.late - memory.early < 32 << 20) }
    await rig.server.stop()
    feed.close()
  }

  private static func device(_ index: Int) -> DeviceID { .bench(UInt32(index)) }

  /// Commits presses with the states that follow, in groups, as the bridge does.
  private static func press(_ store: AlertStore, _ feed: EventFeed) {
    for first in stride(from: 0, to: presses, by: grouping) {
      var changes = Changes()
      for press in first..<min(presses, first + grouping) {
        let identity = EventIdentity(
          deviceID: device(press % clients), number: EventNumber(boot: 1, n: UInt32(press)),
          kind: .pressed, clock: 1, bootNonce: 1)
        let now = BenchCore.now
        var opened = AuditEvent(.incidentOpened, at: now, of: identity)
        opened.incident = IncidentID(identity)
        let states = (0..<3).map { _ in
          var changed = AuditEvent(.stateChanged, at: now)
          changed.incident = IncidentID(identity)
          return changed
        }
        changes.log += [AuditEvent(.event, at: now, of: identity), opened] + states
      }
      guard let ids = try? store.commit(changes) else { return }
      feed.publish(LogEntry.lines(changes.log, ids: ids))
    }
  }

  /// Reads whatever comes, until each client has seen all.
  private static func read(
    _ clients: inout [Client], until deadline: Instant
  ) throws -> (early: Int, late: Int) {
    var polled = clients.map {
      pollfd(fd: $0.reader.client.descriptor, events: Int16(POLLIN), revents: 0)
    }
    let total = clients.map(\.total).reduce(0, +)
    var early = 0
    while true {
      let seen = clients.map(\.seen).reduce(0, +)
      if early == 0, seen * 10 >= total * 4 { early = Self.resident }
      if seen == total { return (early, Self.resident) }
      try #require(BootClock.now() < deadline, "\(seen) of \(total) lines were seen in time")
      _ = try Syscall.poll(&polled, count: polled.count, until: deadline)
      for index in polled.indices where polled[index].revents != 0 {
        let bytes = try clients[index].reader.client.receive()
        let isRight = clients[index].take(bytes)
        try #require(isRight && !bytes.isEmpty, "client \(index) has \(clients[index].seen)")
      }
    }
  }

  private static var resident: Int {
    let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
  }
}
