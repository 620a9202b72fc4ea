import AlertCore
import CBench
import FobBase
import Foundation
import Storage
import WireProtocol

/// Presses made durable a second: core and store together, beside SQLite's own interface that
/// writes the same rows, in the same transactions, into the same tables.
struct DurableBenchmark {
  private let events: Int
  private let rounds: Int
  private let folder: String
  private let results: String?

  init(_ arguments: Arguments) throws {
    events = try arguments.number("events", default: 4_096)
    rounds = try arguments.number("rounds", default: 5)
    folder = try arguments.text("folder")
    results = arguments.optional("results")
  }

  func run() throws {
    var rows: [Row] = []
    for group in [1, 8, 64] {
      let place = "\(folder)/durable-\(group)"
      guard let written = bench_rows_trace() else { throw BenchFailure("no memory for the rows") }
      defer { bench_rows_free(written) }
      _ = try core(place + "-recorded", group: group, recordedBy: written)
      guard bench_rows_stop(written) else { throw BenchFailure("a statement was not understood") }
      var ours: [Double] = []
      var theirs: [Double] = []
      for round in 0..<rounds {
        ours.append(try core(place + "-core-\(round)", group: group))
        theirs.append(try bare(place + "-bare-\(round)", written))
      }
      let each = 1e6 / Double(events)
      let share = Double(bench_rows_count(written)) / Double(events)
      rows.append(
        Row(
          name: String(format: "durable event of %.1f rows, %d a commit", share, group),
          unit: "µs", ours: quantile(0.5, of: ours) * each, peerName: "SQLite, the same rows",
          peer: quantile(0.5, of: theirs) * each, bar: .init(atMost: 1 / 0.8)))
    }
    try Results.add(rows, of: "durable", to: results)
  }

  // MARK: Core and store

  /// - Returns: seconds.
  private func core(
    _ place: String, group: Int, recordedBy rows: OpaquePointer? = nil
  ) throws -> Double {
    let store = try AlertStore(directory: place)
    if let rows { bench_rows_record(rows) }
    let account = Account(
      name: "Owner",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])
    var now = Timestamp(
      boot: 1, instant: Instant(microseconds: 1_000_000), wall: 1_800_000_000_000_000)
    var core = AlertCore(account: account, at: now)
    var answers = AnswersAtOnce()
    var output = CoreOutput()
    func take(_ input: CoreInput) {
      core.step(input, at: now, into: &output)
      output.perform(by: &answers)
      output.removeAll()
    }
    let begun = bench_monotonic()
    for n in 1...events {
      now = now + .milliseconds(2)
      take(.event(LinkID(rawValue: 0), Self.press(n), happenedAt: nil))
      let given = answers.inputs
      answers.inputs.removeAll(keepingCapacity: true)
      for answer in given { take(answer) }
      guard n.isMultiple(of: group) || n == events, let batch = answers.batch else { continue }
      answers.batch = nil
      try store.commit(batch.changes)
      take(.committed(batch.number))
    }
    while let batch = answers.batch {
      answers.batch = nil
      try store.commit(batch.changes)
      take(.committed(batch.number))
    }
    return Double(bench_monotonic() - begun) / 1e9
  }

  private static func press(_ n: Int) -> EventRecord {
    EventRecord(
      EventIdentity(
        deviceID: .bench(1), number: EventNumber(boot: 1, n: UInt32(n)), kind: .pressed,
        clock: UInt64(n) * 2_000, bootNonce: 1))
  }

  // MARK: SQLite alone

  /// - Returns: seconds.
  private func bare(_ place: String, _ rows: OpaquePointer) throws -> Double {
    // The same tables and indexes.
    _ = try AlertStore(directory: place)
    let took = bench_rows_write(rows, place + "/fob.sqlite")
    guard took > 0 else { throw BenchFailure("SQLite refused a row") }
    return Double(took) / 1e9
  }
}
