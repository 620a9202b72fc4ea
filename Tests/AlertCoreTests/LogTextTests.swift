import AlertCore
import FobBase
import Testing
import WireProtocol

/// What a person reads of an event and of a message in the log.
struct LogTextTests {
  private static func press(_ flags: EventRecord.Flags...) -> EventRecord {
    var record = EventRecord.press(9)
    for flag in flags { record.flags.insert(flag) }
    return record
  }

  private static var mergedPress: EventRecord {
    var record = press(.merged, .volatile)
    record.firstCovered = EventNumber(boot: 1, n: 3)
    record.covered = 7
    return record
  }

  private static var unknownKind: EventRecord {
    var record = EventRecord.press(9)
    record.identity.rawKind = 200
    return record
  }

  @Test(arguments: [
    (press(), "pressed: alarm"),
    (press(.atBoot), "pressed, held at boot: alarm"),
    (press(.atBoot, .replayed), "pressed, held at boot, replayed: alarm"),
    (mergedPress, "pressed, stands for 7, not stored by the device: alarm"),
    (.press(9, kind: .released), "released"),
    (.press(9, kind: .batteryLow), "batteryLow"),
    (unknownKind, "kind 200"),
  ])
  func `an event's line says what it is, what is odd about it, and whether it is an alarm`(
    _ record: EventRecord, _ words: String
  ) {
    var bench = CoreBench()
    bench.press(record)
    #expect(bench.happened(.event).map(\.detail) == [words])
  }

  @Test func `a press whose meaning is still open says so`() {
    var guarded = GuardedBench()
    guarded.play([0])
    #expect(
      guarded.bench.happened(.event).last?.detail == "pressed: not known yet what it means")
  }

  @Test func `a message's line counts the attempts and says why the last one failed`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .refuses
    bench.press(.press(1))
    bench.run(for: .seconds(5))
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .minutes(1))
    let failures = bench.happened(.deliveryFailed).map(\.detail)
    #expect(failures.count > 1)
    #expect(failures.first == "raise 1: refused")
    #expect(failures.dropFirst().first == "raise 1, attempt 2: refused")
    #expect(bench.happened(.delivered).map(\.detail) == ["raise 1, attempt \(failures.count + 1)"])
  }
}
