import FobBase
import Storage
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Bridge

@Suite struct EventFeedTests {
  private let scratch: ScratchDirectory
  private let store: AlertStore

  init() throws {
    scratch = try ScratchDirectory()
    store = try AlertStore(directory: scratch.path("state"))
  }

  /// R58.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `each reader gets what a plain query gives, in order, whenever it joins`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let feed = try EventFeed(
      store: store, capacity: [1, 3, 16, 64, 16_384].randomElement(using: &random)!)
    let rounds = Soak.isOn ? 1_000 : 120
    try await withThrowingTaskGroup(of: (LogFilter, Int64, [LogEntry]).self) { group in
      var last: Int64 = 0
      for round in 0..<rounds {
        let batch = (0..<Int.random(in: 1...5, using: &random)).map { _ in
          AuditEvent.random(&random)
        }
        // At the end, a line of concern to every filter ends every reader.
        let log = round == rounds - 1 ? batch + AuditEvent.closing : batch
        let changes = Changes.of(log)
        let ids = try store.commit(changes)
        last = ids!.upperBound
        for _ in 0..<Int.random(in: 0...2, using: &random) where round < rounds - 1 {
          let filter = LogFilter.some.randomElement(using: &random)!
          let after = Int64.random(in: 0...last, using: &random)
          let reader = feed.reader(after: after, matching: filter)
          group.addTask {
            var lines: [LogEntry] = []
            while lines.last.map({ !$0.isClosing }) ?? true { lines += try await reader.next() }
            return (filter, after, lines)
          }
        }
        if Bool.random(using: &random) { await Task.yield() }
        feed.publish(LogEntry.lines(log, ids: ids))
      }
      for try await (filter, after, lines) in group {
        let expected = try store.log(
          after: after, limit: 100_000, device: filter.device, incident: filter.incident)
        // A reader ends at a closing line, and there are several.
        #expect(lines == Array(expected.prefix(lines.count)), "\(filter) after \(after)")
        let isAll = expected[lines.count...].allSatisfy { $0.isClosing }
        #expect(isAll)
      }
    }
  }

  @Test func `a reader that keeps up with its own device is not woken by another`() async throws {
    let feed = try EventFeed(store: store, capacity: 8)
    let quiet = feed.reader(after: nil, matching: LogFilter(device: DeviceID.bench(9).text))
    let all = feed.reader(after: nil)
    async let found = quiet.next()
    var seen: [LogEntry] = []
    for n in 1...40 as ClosedRange<UInt32> {
      try commit(.linkUp, .bench(n == 40 ? 9 : 1), to: feed)
      seen += try await all.next()
    }
    #expect(seen.map(\.id) == Array(1...40))
    #expect(try await found.map(\.id) == [40])
    #expect(quiet.cursor == 40)
  }

  @Test func `a line without a device is for the devices that pressed in its incident before it`()
    async throws
  {
    let feed = try EventFeed(store: store)
    let incident = IncidentID(EventIdentity.press(1, of: .bench(1)))
    var first = AuditEvent(.incidentOpened, at: .zero, of: .press(1, of: .bench(1)))
    var changed = AuditEvent(.stateChanged, at: .zero)
    var second = AuditEvent(.pressAdded, at: .zero, of: .press(1, of: .bench(2)))
    first.incident = incident
    changed.incident = incident
    second.incident = incident
    let log = [first, changed, second, changed, AuditEvent(.storageHealed, at: .zero)]
    feed.publish(LogEntry.lines(log, ids: try store.commit(.of(log))))
    for (device, ids) in [(1, [1, 2, 4]), (2, [3, 4])] as [(UInt32, [Int64])] {
      let reader = feed.reader(after: 0, matching: LogFilter(device: DeviceID.bench(device).text))
      #expect(try await reader.next().map(\.id) == ids)
    }
    // A feed that begins later knows the incident from the store.
    let later = try EventFeed(store: store)
    let reader = later.reader(after: nil, matching: LogFilter(device: DeviceID.bench(2).text))
    async let found = reader.next()
    later.publish(LogEntry.lines([changed], ids: try store.commit(.of([changed]))))
    #expect(try await found.map(\.id) == [6])
  }

  @Test func `a reader that is cancelled or whose feed is closed ends, with its cursor kept`()
    async throws
  {
    let feed = try EventFeed(store: store)
    for isClosed in [false, true] {
      let reader = feed.reader(after: nil)
      let task = Task { try await reader.next() }
      if isClosed { feed.close() } else { task.cancel() }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(reader.cursor == 0)
    }
    let late = feed.reader(after: 0)
    await #expect(throws: CancellationError.self) { try await late.next() }
  }

  @Test func `many readers on threads of their own lose nothing, double nothing and end`()
    async throws
  {
    let devices: UInt32 = Soak.isOn ? 1_000 : 100
    let presses = Soak.isOn ? 10_000 : 1_000
    let feed = try EventFeed(store: store, capacity: 256)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for device in 1...devices {
        let reader = feed.reader(after: 0, matching: LogFilter(device: DeviceID.bench(device).text))
        group.addTask { try await Self.count(reader) }
      }
      for _ in 0..<10 {
        let reader = feed.reader(after: 0)
        group.addTask { try await Self.count(reader, until: Int64(presses) + Int64(devices)) }
      }
      var cancelled: [Task<Void, Never>] = []
      for n in 0..<presses {
        try commit(.event, .bench(UInt32(n) % devices + 1), to: feed)
        if n % 50 == 0 {
          let reader = feed.reader(after: nil)
          cancelled.append(Task { while (try? await reader.next()) != nil {} })
        }
        if n % 50 == 25 { cancelled.last?.cancel() }
      }
      for device in 1...devices { try commit(.linkDown, .bench(device), to: feed) }
      for task in cancelled { await task.value }
      var total = 0
      for try await count in group { total += count }
      let all = presses + Int(devices)
      #expect(total == all * 11)
    }
  }

  private static func count(
    _ reader: EventFeed.Reader, until end: Int64 = .max
  ) async throws -> Int {
    var count = 0
    var last: Int64 = 0
    while true {
      for line in try await reader.next() {
        #expect(line.id > last)
        last = line.id
        count += 1
        if end == .max, line.name == "linkDown" { return count }
      }
      if last >= end { return count }
    }
  }

  private func commit(_ name: AuditEvent.Name, _ device: DeviceID, to feed: EventFeed) throws {
    let log = [AuditEvent(name, at: .zero, device: device)]
    feed.publish(LogEntry.lines(log, ids: try store.commit(.of(log))))
  }
}
