import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// Gestures × late edges × loss of the line × restart × slots, each against `GestureModel`.
struct GestureTableTests {
  /// All rows in a soak; otherwise by a prime, which is in step with no column.
  private static let step = Soak.isOn ? 1 : 53

  @Test(arguments: GestureRow.gestures.indices)
  func `every row means what the protocol says`(_ index: Int) {
    let rows = GestureRow.all(of: GestureRow.gestures[index]).enumerated()
      .filter { $0.offset % Self.step == 0 }.map(\.element)
    var outcomes: [String: Int] = [:]
    for row in rows {
      let expected = GestureModel(row).outcome
      let (found, bench) = Self.play(row)
      if found != expected {
        Issue.record("\(row.name): \(found), expected \(expected)\n\(bench.summary)")
        return
      }
      #expect(bench.openPresses.isEmpty, "\(row.name)")
      outcomes["\(expected)".split(separator: "(")[0].description, default: 0] += 1
    }
    print("\(GestureRow.gestures[index].name): \(rows.count) rows, \(outcomes)")
  }

  static func play(_ row: GestureRow) -> (GestureModel.Outcome, CoreBench) {
    var policy = Policy()
    policy.profile = .guarded(row.slots)
    var bench = CoreBench(.sample(contacts: 1), policy)
    let start = bench.now
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(.press(1, kind: .booted))
    if row.oddity == .stuck { bench.press(.press(2, kind: .fault)) }
    let first = row.oddity == .stuck ? 3 : 2
    var steps: [(at: Int, order: Int, step: (inout CoreBench) -> Void)] = []
    for (index, edge) in row.edges.enumerated() {
      guard let arrives = edge.arrives else { continue }
      let record = row.record(index, number: UInt32(first + index))
      let happened = start.instant + Int64(edge.at) * 1_000
      steps.append(
        (
          arrives, 1,
          { bench in
            bench.press(record, happenedAt: row.oddity == .earlierBoot ? nil : happened...happened)
          }
        ))
    }
    if let lostAt = row.lostAt {
      steps.append((lostAt, 2, { $0.hand(.linkDown(line, reason: "test")) }))
      steps.append((row.upAt!, 0, { $0.hand(.linkUp(line, .from(keychain))) }))
    }
    if let restartAt = row.restartAt {
      steps.append(
        (
          restartAt, 3,
          { bench in
            bench.restart()
            bench.hand(.linkUp(line, .from(keychain)))
          }
        ))
    }
    for step in steps.sorted(by: { ($0.at, $0.order) < ($1.at, $1.order) }) {
      bench.run(until: start + .milliseconds(Int64(step.at)))
      step.step(&bench)
    }
    bench.run(for: .seconds(4))
    return (bench.outcome(since: start), bench)
  }
}

extension GestureRow {
  fileprivate func record(_ index: Int, number: UInt32) -> EventRecord {
    let isReplayed = oddity == .earlierBoot
    var record = EventRecord.press(
      number, kind: edges[index].isPress ? .pressed : .released,
      clock: 5_000_000 + UInt64(edges[index].at) * 1_000)
    if isReplayed { record.flags.insert(.replayed) }
    if oddity == .atBoot, index == 0 { record.flags.insert(.atBoot) }
    if oddity == .merged, index == 0 {
      record.flags.insert(.merged)
      record.covered = 2
    }
    // It makes no difference.
    if index % 2 == 0 { record.flags.insert(.volatile) }
    return record
  }
}

extension CoreBench {
  var openPresses: [HeardEvent] {
    store.events.filter { store.meaning(of: $0.record.identity) == .open }
  }

  func outcome(since start: Timestamp) -> GestureModel.Outcome {
    if let opened = happened(.incidentOpened).first {
      return .alarm(at: Int(opened.at.since(start).microseconds / 1_000))
    }
    if case .slot(let slot, _, _)? = happened(.slotRequested).first?.facts?.reason {
      return .slot(Int(slot))
    }
    let meanings = store.events.filter { $0.record.identity.kind == .pressed }
      .compactMap { store.meaning(of: $0.record.identity) }
    if meanings.contains(.acknowledge) { return .acknowledge }
    return meanings.isEmpty ? .nothing : .noted
  }

  var summary: String {
    auditEvents.map {
      "  \($0.at.instant / 1_000 % 1_000_000) \($0.name) \($0.event ?? "") \($0.detail ?? "")"
    }
    .joined(separator: "\n")
  }
}
