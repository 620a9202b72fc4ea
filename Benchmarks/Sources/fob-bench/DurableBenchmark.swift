import AlertCore
import CBench
import FobBase
import Foundation
import Storage
import WireProtocol

/// Presses made durable a second: core and store together, beside SQLite's own interface that
/// writes the same events and lines of the log, in the same groups, into the same tables.
struct DurableBenchmark {
  private let events: Int
  private let rounds: Int
  private let folder: String

  init(_ arguments: Arguments) throws {
    events = try arguments.number("events", default: 4_096)
    rounds = try arguments.number("rounds", default: 5)
    folder = try arguments.text("folder")
  }

  func run() throws {
    print("| events a transaction | rows an event | fob/s | SQLite/s | fob / SQLite |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for group in [1, 8, 64] {
      var ours: [Double] = []
      var theirs: [Double] = []
      var rows = 0
      for round in 0..<rounds {
        let place = "\(folder)/durable-\(group)-\(round)"
        let (seconds, batches) = try core(place + "-core", group: group)
        rows = batches.reduce(0) { $0 + $1.events.count + $1.log.count }
        ours.append(Double(events) / seconds)
        theirs.append(Double(events) / (try bare(place + "-bare", batches)))
      }
      let (a, b) = (quantile(0.5, of: ours), quantile(0.5, of: theirs))
      let share = Double(rows) / Double(events)
      print(String(format: "| %d | %.1f | %.0f | %.0f | %.2f |", group, share, a, b, a / b))
    }
  }

  // MARK: Core and store

  private func core(_ place: String, group: Int) throws -> (seconds: Double, batches: [Changes]) {
    let store = try AlertStore(directory: place)
    let account = Account(
      name: "Owner",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])
    var now = Moment(
      boot: 1, instant: Instant(microseconds: 1_000_000), wall: 1_800_000_000_000_000)
    var core = AlertCore(account: account, at: now)
    var underWay: CommitBatch?
    var batches: [Changes] = []
    var inputs: [CoreInput] = []
    var effects: [CoreEffect] = []
    func take(_ input: CoreInput) {
      core.handle(input, at: now, into: &effects)
      for effect in effects {
        if case .commit(let batch) = effect { underWay = batch }
        if case .deliver(let message) = effect {
          inputs.append(.answered(key: message.key, error: nil))
        }
      }
      effects.removeAll(keepingCapacity: true)
    }
    let begun = bench_monotonic()
    for n in 1...events {
      now = now + .milliseconds(2)
      take(.event(LinkID(rawValue: 0), Self.press(n), happenedAt: nil))
      let answers = inputs
      inputs.removeAll(keepingCapacity: true)
      for answer in answers { take(answer) }
      guard n.isMultiple(of: group) || n == events, let batch = underWay else { continue }
      underWay = nil
      try store.commit(batch.changes)
      batches.append(batch.changes)
      take(.committed(batch.number))
    }
    while let batch = underWay {
      underWay = nil
      try store.commit(batch.changes)
      batches.append(batch.changes)
      take(.committed(batch.number))
    }
    return (Double(bench_monotonic() - begun) / 1e9, batches)
  }

  private static func press(_ n: Int) -> EventRecord {
    EventRecord(
      EventIdentity(
        deviceID: .bench(1), number: EventNumber(boot: 1, n: UInt32(n)), kind: .pressed,
        clock: UInt64(n) * 2_000, bootNonce: 1))
  }

  // MARK: SQLite alone

  private struct EventRow {
    let numbers: [Int64]
    let payload: [UInt8]
    let meaning: [CChar]
    let incident: [CChar]?
  }

  private struct LogRow {
    let wall: Int64
    /// Its own, to be freed.
    let texts: [UnsafePointer<CChar>?]
  }

  /// - Returns: seconds.
  private func bare(_ place: String, _ batches: [Changes]) throws -> Double {
    // The same tables and indexes.
    _ = try AlertStore(directory: place)
    guard let store = bench_store_open(place + "/fob.sqlite") else {
      throw BenchFailure("SQLite does not open \(place)")
    }
    defer { bench_store_close(store) }
    let groups = batches.map { ($0.events.map(Self.row), $0.log.map(Self.row)) }
    defer {
      for row in groups.flatMap(\.1) {
        for text in row.texts { free(UnsafeMutableRawPointer(mutating: text)) }
      }
    }
    let begun = bench_monotonic()
    var isDone = true
    for (events, log) in groups {
      isDone = bench_store_begin(store) && isDone
      for row in events { isDone = Self.write(row, to: store) && isDone }
      for row in log { isDone = Self.write(row, to: store) && isDone }
      isDone = bench_store_commit(store) && isDone
    }
    let took = bench_monotonic() - begun
    guard isDone else { throw BenchFailure("SQLite refused a row") }
    return Double(took) / 1e9
  }

  private static func row(_ event: CommittedEvent) -> EventRow {
    let identity = event.record.identity
    var body = FrameBody(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    event.record.write(to: &body)
    return EventRow(
      numbers: [
        Int64(bitPattern: identity.deviceID.rawValue), Int64(bitPattern: identity.number.rawValue),
        Int64(identity.rawKind), Int64(bitPattern: identity.clock), Int64(identity.bootNonce),
        event.receivedAt.wall,
      ], payload: body.withBytes { Array($0) }, meaning: text(event.meaning.rawValue),
      incident: event.incident.map { text($0.description) })
  }

  private static func row(_ happening: Happening) -> LogRow {
    let line = LogLine(happening, id: 0)
    return LogRow(
      wall: line.wall,
      texts: [
        line.name, line.incident, line.device, line.event, line.contact, line.who, line.sink,
        line.detail,
      ].map { $0.flatMap { strdup($0) }.map { UnsafePointer($0) } })
  }

  private static func text(_ text: String) -> [CChar] { Array(text.utf8CString) }

  private static func write(_ row: EventRow, to store: OpaquePointer) -> Bool {
    row.payload.withUnsafeBytes { payload in
      row.meaning.withUnsafeBufferPointer { meaning in
        func write(_ incident: UnsafePointer<CChar>?) -> Bool {
          bench_store_event(
            store, row.numbers, payload.baseAddress, Int32(payload.count), meaning.baseAddress,
            incident)
        }
        return row.incident?.withUnsafeBufferPointer { write($0.baseAddress) } ?? write(nil)
      }
    }
  }

  private static func write(_ row: LogRow, to store: OpaquePointer) -> Bool {
    bench_store_log(store, row.wall, row.texts)
  }
}
