import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// Whoever misbehaves on a line harms himself alone.
struct LineRateLimitsTests {
  private static let neighbour = LinkID(rawValue: 1)

  @Test func `of a flood of presses the first are decided at once, and few of the rest`() {
    var bench = CoreBench()
    bench.flood(with: 400, a: .seconds(10))
    let burst = Int(Limits.eventPace.burst)
    #expect(bench.store.events.count >= burst)
    #expect(bench.store.events.count < 6 * burst)
    #expect(bench.store.log.count < 40 * burst)
    #expect(bench.happened(.leftToDevice).count < 24)
  }

  @Test func `a neighbour's press is decided, committed and told at once under a flood`() {
    var bench = CoreBench()
    bench.flood(with: 400, a: .seconds(5))
    let press = EventRecord.press(1, device: otherKeychain)
    bench.hand(.event(Self.neighbour, press, happenedAt: nil))
    #expect(bench.store.entries(of: press.identity) == 1)
    #expect(bench.isAcked(press))
    #expect(
      bench.auditEvents.contains { $0.name == .pressAdded && $0.device == otherKeychain.text })
  }

  @Test func `what was left to the device is taken when it sends it again: nothing is lost`() {
    var bench = CoreBench()
    let presses = (1...400).map { EventRecord.press(UInt32($0)) }
    var left = presses
    for _ in 0..<100 where !left.isEmpty {
      for press in left { bench.press(press) }
      bench.run(for: .seconds(2))
      left.removeAll { bench.isAcked($0) }
    }
    #expect(presses.allSatisfy { bench.isAcked($0) })
    #expect(bench.store.events.count == 400 && bench.store.doubled.isEmpty)
  }

  @Test func `a flood of other events keeps no press of the same line waiting`() {
    var bench = CoreBench()
    for n in 1...1_000 { bench.press(.press(UInt32(n), kind: .fault)) }
    bench.press(.press(9_000))
    #expect(bench.isAcked(.press(9_000)))
    #expect(bench.state == .emergencySent)
  }

  @Test func `after the flood a press of that line is decided at once`() {
    var bench = CoreBench()
    bench.flood(with: 50, a: .seconds(80))
    bench.run(for: Limits.eventPace.longest)
    bench.press(.press(4_000_000))
    #expect(bench.isAcked(.press(4_000_000)))
  }

  @Test func `all that a keychain can have stored is taken at once`() {
    var bench = CoreBench()
    for n in 1...UInt32(Limits.deviceEvents) { bench.press(.press(n)) }
    #expect(bench.store.events.count == Limits.deviceEvents)
    #expect(bench.happened(.leftToDevice).isEmpty)
  }

  @Test func `a line that stays just below the pace is slowed over hours, a finger is not`() {
    var paces = LineRateLimits(Limits.eventPace, lasting: Limits.lastingEventPace)
    let now = CoreBench().now
    func decided(each interval: Int64, for hours: Int64, of link: LinkID) -> Int {
      stride(from: 0, to: hours * 3_600_000, by: Int(interval)).count { at in
        let press = HeardEvent(.press(UInt32(at)), at: now, happenedAt: nil)
        return paces.decides(press, from: link, at: Instant(microseconds: at * 1_000))
      }
    }
    let ill = decided(each: 52, for: 6, of: line)
    #expect(ill >= Int(Limits.lastingEventPace.burst) && ill < 50_000)
    #expect(decided(each: 1_000, for: 6, of: Self.neighbour) == 6 * 3_600)
  }

  @Test func `a link that goes up and down for ever is a few rows, and the last of them is true`() {
    var bench = CoreBench()
    for _ in 0..<1_000 {
      bench.hand(.linkUp(line, .from(keychain)))
      bench.run(for: .milliseconds(100))
      bench.hand(.linkDown(line, reason: "unplugged"))
      bench.run(for: .milliseconds(100))
    }
    bench.run(for: .minutes(10))
    let rows = bench.store.log.filter { $0.name == .linkUp || $0.name == .linkDown }
    #expect(rows.count >= Int(Limits.logPace.burst) && rows.count < 80)
    #expect(rows.last?.name == .linkDown)
    #expect(rows.contains { $0.detail?.contains("; the last of ") == true })
    #expect(rows.map { $0.facts?.alike ?? 1 }.reduce(0, +) == 2_000)
  }

  @Test func `duplicates are all acked, and told as a few`() {
    var bench = CoreBench()
    bench.press(.press(1))
    for _ in 0..<5_000 { bench.press(.press(1)) }
    #expect(bench.ackCount(.press(1)) == 5_001)
    #expect(bench.happened(.duplicate).count == Int(Limits.noticePace.burst))
    bench.run(for: .seconds(1))
    #expect(bench.happened(.duplicate).last?.detail?.hasSuffix("the last of 4992 like it") == true)
  }

  @Test func `numbers that come again with another identity are a few rows`() {
    var bench = CoreBench()
    for n in 0..<1_000 {
      bench.press(.press(1, kind: .fault, clock: UInt64(n)))
      bench.run(for: .milliseconds(100))
    }
    #expect(bench.store.log.count { $0.name == .numberReused } < 40)
  }

  @Test func `ids that change with each HELLO fill neither memory nor disk, and one is linked`() {
    var bench = CoreBench()
    for id in 1...UInt64(3 * Limits.devices) {
      bench.hand(.linkUp(line, .from(DeviceID(rawValue: id))))
      bench.run(for: .milliseconds(10))
    }
    #expect(bench.core.status(at: bench.now).links.count == 1)
    #expect(bench.store.devices.count < 40)
  }
}

/// A device of another version.
struct VersionStatusTests {
  @Test func `versions that do not meet are an error of the status for as long as it is linked`() {
    var bench = CoreBench()
    var hello = Hello.from(keychain)
    hello.versionMin = 2
    hello.versionMax = 3
    bench.hand(.linkUp(line, hello))
    let status = bench.core.status(at: bench.now)
    let words =
      "it speaks protocol 2 to 3, this bridge 1: its presses raise the alarm, nothing"
      + " else works; update one"
    #expect(status.overall == .error)
    #expect(status.warnings.contains("\(keychain.text): \(words)"))
    let link = status.lines.first { $0.kind == .link }
    #expect(link?.level == .error && link?.advice == words)
    #expect(link?.text == "USB connected, but not understood")
    bench.hand(.linkUp(line, .from(keychain)))
    let mended = bench.core.status(at: bench.now)
    #expect(!mended.warnings.contains { $0.contains("speaks protocol") })
    #expect(mended.lines.first { $0.kind == .link }?.level == .good)
  }
}

extension CoreBench {
  /// New presses on one line, each sent once.
  fileprivate mutating func flood(with rate: Int64, a stretch: Interval) {
    let pause = 1_000_000 / rate
    for n in 0..<stretch.microseconds / pause {
      press(.press(UInt32(n) + 1))
      run(for: .microseconds(pause))
    }
  }
}
