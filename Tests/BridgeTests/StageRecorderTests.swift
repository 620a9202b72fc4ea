import FobBase
import Testing

@testable import Bridge
@testable import WireProtocol

@Suite struct StageRecorderTests {
  private let recorder = StageRecorder()
  private let device = DeviceID.bench(9)
  /// The device's clock is 5 s behind, give or take 3 µs.
  private let fit = TimeSync.Fit(
    offset: 5_000_000, reference: 0, drift: 0, uncertainty: 3, bootNonce: 77)

  @Test func `the stamps of a press are told at its ack, and again with its light`() throws {
    decide(1)
    recorder.durable(device, number(1), at: 6_020_000)
    #expect(trace(.eventWritten, 1_000_500) == nil)
    let acked = try #require(trace(.eventAcked, 1_030_000))
    let expected = PressStages(
      event: "1.1", device: "8000000000000009", edge: 6_000_000, stored: 6_000_250,
      written: 6_000_500, read: 6_010_000, decided: 6_010_100, durable: 6_020_000,
      acked: 6_030_000, lit: nil, uncertainty: 3)
    #expect(acked == expected)
    var lit = expected
    lit.lit = 6_031_000
    #expect(shown(.accepted, 1_031_000) == lit)
  }

  @Test func `a commit that is faster than the reader is not lost`() {
    recorder.durable(device, number(1), at: 6_020_000)
    decide(1)
    #expect(trace(.eventAcked, 1_030_000)?.durable == 6_020_000)
  }

  @Test func `the first of equal stamps stays`() {
    decide(1)
    recorder.durable(device, number(1), at: 6_020_000)
    recorder.durable(device, number(1), at: 6_040_000)
    decide(1, read: 7_000_000)
    let stages = trace(.eventAcked, 1_030_000)
    #expect(stages?.durable == 6_020_000)
    #expect(stages?.read == 6_010_000)
    #expect(trace(.eventAcked, 1_050_000) == nil, "told once, however often the trace is read")
  }

  @Test func `a light that was lit before the ack, or for another state, is not this press's`() {
    decide(1)
    #expect(shown(.accepted, 900_000) == nil)
    _ = trace(.eventAcked, 1_030_000)
    #expect(shown(.accepted, 900_000) == nil)
    #expect(shown(.sending, 1_031_000) == nil)
    #expect(shown(.accepted, 1_032_000)?.lit == 6_032_000)
    #expect(shown(.accepted, 1_033_000) == nil)
  }

  @Test func `a light is behind its ack, though the clock was fitted anew in between`() {
    decide(1)
    _ = trace(.eventAcked, 1_030_000)
    let better = TimeSync.Fit(
      offset: 4_990_000, reference: 0, drift: 0, uncertainty: 1, bootNonce: 77)
    let entry = TraceEntry(
      clock: 1_031_000, code: .stateShown, argument: UInt64(ShownState.accepted.rawValue))
    #expect(recorder.traced(entry, of: device, fit: better)?.lit == 6_031_000)
  }

  @Test func `the device's own stamps wait until the clock of its boot is fitted`() {
    let other = TimeSync.Fit(offset: 0, reference: 0, drift: 0, uncertainty: 1, bootNonce: 78)
    decide(1)
    decide(2)
    let entry = TraceEntry(clock: 1, code: .eventAcked, argument: number(1).rawValue)
    #expect(recorder.traced(entry, of: device, fit: other)?.edge == nil)
    let stages = trace(.eventAcked, 1_030_000, 2)
    #expect(stages?.edge == 6_000_000)
    #expect(stages?.stored == 6_000_250)
    #expect(stages?.read == 6_010_000)
  }

  @Test func `presses beyond the newest 512, and events that are none, are not followed`() {
    for n: UInt32 in 1...513 { decide(n) }
    #expect(trace(.eventAcked, 1_030_000, 1) == nil)
    #expect(trace(.eventAcked, 1_030_000, 2) != nil)
    var release = record(600)
    release.identity.rawKind = EventKind.released.rawValue
    recorder.heard(release, read: 1, decided: 2)
    #expect(trace(.eventAcked, 1_030_000, 600) == nil)
  }

  private func number(_ n: UInt32) -> EventNumber { EventNumber(boot: 1, n: n) }

  private func record(_ n: UInt32) -> EventRecord {
    var record = EventRecord.press(n)
    record.commitDelta = 250
    return record
  }

  private func decide(_ n: UInt32, read: Int64 = 6_010_000) {
    recorder.heard(record(n), read: read, decided: read + 100)
  }

  private func trace(_ code: TraceEntry.Code, _ clock: UInt64, _ n: UInt32 = 1) -> PressStages? {
    let entry = TraceEntry(clock: clock, code: code, argument: number(n).rawValue)
    return recorder.traced(entry, of: device, fit: fit)
  }

  private func shown(_ state: ShownState, _ clock: UInt64) -> PressStages? {
    let entry = TraceEntry(clock: clock, code: .stateShown, argument: UInt64(state.rawValue))
    return recorder.traced(entry, of: device, fit: fit)
  }
}
