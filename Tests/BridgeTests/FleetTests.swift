import FobBase
import Foundation
import SerialIO
import Storage
import Testing

/// Many keychains at one bridge, pressed at random: rule 9 for each of them, and no memory that
/// grows with the presses.
@Suite(.serialized) struct FleetTests {
  private enum Soak {
    static let isWanted = ProcessInfo.processInfo.environment["FOB_SOAK"] == "1"
    static let keychains = number("FOB_KEYCHAINS", 300)
    static let minutes = number("FOB_MINUTES", 10)
    static let pressEverySeconds = number("FOB_PRESS_EVERY", 20)

    private static func number(_ name: String, _ standard: Int) -> Int {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
  }

  @Test func `twenty keychains that press at random: each press is exactly one entry`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let fleet = try Fleet(of: 20, pressingEvery: .milliseconds(700), seed: seed)
    let deadline = BootClock.now() + .seconds(60)
    while fleet.pressCount < 100, BootClock.now() < deadline { try fleet.rest(until: deadline) }
    try fleet.settle()
    try expectOneEntryEach(fleet, seed)
    #expect(fleet.pressCount >= 100)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["FOB_SOAK"] == "1"))
  func `hundreds of keychains for minutes: each press is one entry, and memory stays as it is`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    let fleet = try Fleet(
      of: Soak.keychains, pressingEvery: .seconds(Int64(Soak.pressEverySeconds)), seed: seed)
    let seconds = Soak.minutes * 60
    var resident: [Int] = []
    resident.reserveCapacity(seconds)
    let began = BootClock.now()
    for second in 1...seconds {
      let next = began + .seconds(Int64(second))
      while BootClock.now() < next { try fleet.rest(until: next) }
      resident.append(ProcessFigures.resident)
    }
    let threads = ProcessFigures.threads
    try fleet.settle()
    let entries = try expectOneEntryEach(fleet, seed)
    let first = try #require(resident.prefix(seconds / 3).max())
    let last = try #require(resident.suffix(seconds / 3).max())
    #expect(
      last <= first + first / 20 + (2 << 20),
      "memory grew from \(Self.megabytes(first)) to \(Self.megabytes(last))")
    print(
      "\(Soak.keychains) keychains for \(Soak.minutes) min: \(fleet.pressCount) presses,"
        + " \(entries) entries, \(threads) threads, resident"
        + " \(Self.megabytes(resident[min(59, seconds - 1)])) after a minute,"
        + " \(Self.megabytes(resident[seconds - 1])) at the end, most in the first third"
        + " \(Self.megabytes(first)), in the last \(Self.megabytes(last)), seed \(seed)")
  }

  @discardableResult
  private func expectOneEntryEach(_ fleet: Fleet, _ seed: UInt64) throws -> Int {
    let (entries, presses) = try fleet.settledEntries()
    #expect(Set(entries).count == entries.count, "an entry twice, seed \(seed)")
    #expect(Set(entries) == presses, "seed \(seed)")
    #expect(try fleet.store.incidents().count == 1, "seed \(seed)")
    return entries.count
  }

  private static func megabytes(_ bytes: Int) -> String {
    "\(bytes >> 20).\((bytes >> 10 & 1_023) * 10 / 1_024) MB"
  }
}
