import FobBase
import NMEA
import TestSupport
import Testing

@testable import Emulator

@Suite struct GPSSourceTests {
  private let start = Instant(microseconds: 5_000_000)
  private static let utc: Int64 = 1_700_000_000_000_000

  @Test(arguments: [
    "none", "file:/tmp/a.nmea", "pipe:-", "pipe:/tmp/fifo", "at:51.4778,-0.0015",
    "track:51.4778,-0.0015,1.4,0.0,0.0", "track:51.5,-0.1,10.0,90.0,-6.0?hz=5",
    "track:51.5,-0.1;51.6,-0.1;51.6,0.1,13.5", "story:tunnel,51.5,-0.1",
    "story:coldStart,-33.9,151.2", "story:weak,0.0,0.0", "story:rollover,0.0,0.0",
    "story:silence,0.0,0.0",
  ])
  func `what a source says of itself is read as the same source`(_ text: String) throws {
    #expect(try GPSSource(text).text == text)
  }

  @Test func `what is left out is a walk to the north, and a story at home`() throws {
    let walk = GPSTrack(.heading(from: .observatory, course: 0, turn: 0), speed: 1.4, hertz: 1)
    #expect(try GPSSource("track:51.4778,-0.0015") == .track(walk))
    let home = try #require(Coordinates(latitude: 10, longitude: 20))
    #expect(
      try GPSSource("story:weak", loop: true, home: home) == .story(.weak, at: home, loop: true))
    #expect(try GPSSource("walk.nmea", loop: true) == .file(path: "walk.nmea", loop: true))
    #expect(try GPSSource("./track:1") == .file(path: "./track:1", loop: false))
  }

  @Test(arguments: [
    ("", "an NMEA file"), ("pipe:", "pipe:PATH"), ("at:1", "LATITUDE,LONGITUDE"),
    ("at:91,0", "not on the globe"), ("at:nan,0", "not a number"), ("track:", "not a number"),
    ("track:1,2,3,4,5,6", "SPEED"), ("track:1,2,-3", "metres a second"),
    ("track:1,2,1,361", "course"), ("track:1,2,1,0,91", "turn"), ("track:1,2?hz=0", "hz=1"),
    ("track:1,2?rate=1", "hz=1"), ("track:1,2;3", "LATITUDE,LONGITUDE"),
    ("story:", "coldStart, tunnel"), ("story:flood", "coldStart, tunnel"),
    ("story:weak,1", "LATITUDE,LONGITUDE"),
  ])
  func `a source that cannot be is refused with a hint`(_ text: String, _ hint: String) {
    let refusal = #expect(throws: CommandRefusal.self) { try GPSSource(text) }
    #expect(refusal?.description.contains(hint) == true, "\(refusal?.description ?? "")")
  }

  @Test(arguments: UInt64(1)...4)
  func `no text traps`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "track:", "story:", "at:", "pipe:", ",", ";", "?hz=", "51.5", "-0.1", "1e308", "inf", "",
      "weak", "5", "-", "\u{0}", "é",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in pieces.randomElement(using: &random)! }.joined()
      guard let source = try? GPSSource(text) else { continue }
      if case .track = source, var feed = try? GPSFeed(source, at: start, utc: Self.utc) {
        for second in 0...3 { feed.advance(to: start + .seconds(Int64(second))) }
      }
    }
  }

  @Test func `a circle comes back to where it began, at its speed`() throws {
    // 10 m/s and 6 degrees a second: 600 m round, a minute long.
    let fixes = try fixes(of: "track:51.4778,-0.0015,10,0,6", seconds: 60)
    #expect(fixes.count == 61)
    #expect(metres(fixes[0], fixes[60]) < 1)
    for (a, b) in zip(fixes, fixes.dropFirst()) { #expect(abs(metres(a, b) - 10) < 0.1) }
    #expect(abs(metres(fixes[0], fixes[30]) - 600 / Double.pi) < 1)
  }

  @Test func `waypoints are passed in turn and begun again`() throws {
    // 222 m north and back, at 20 m/s.
    let fixes = try fixes(of: "track:51.0,1.0;51.002,1.0,20?hz=2", seconds: 60)
    #expect(fixes.count == 121)
    #expect(fixes.allSatisfy { (510_000_000...510_020_000).contains($0.latitude) })
    #expect(fixes.allSatisfy { abs($0.longitude - 10_000_000) <= 1 })
    #expect(fixes.contains { $0.latitude > 510_019_000 })
    #expect(abs(metres(fixes[0], fixes[1]) - 10) < 0.1)
    let rounds = zip(fixes, fixes.dropFirst(44)).map { metres($0, $1) }
    #expect((rounds.max() ?? .infinity) < 6, "a round is 22.24 s long")
  }

  @Test func `over the date line and at a pole a track stays on the globe`() throws {
    let line = try fixes(of: "track:0,179.999,1000,90", seconds: 3)
    #expect(line[3].longitude < -1_799_000_000)
    let pole = try fixes(of: "track:89.89,0,1000,0", seconds: 20)
    #expect(pole.allSatisfy { $0.latitude <= 899_000_000 })
  }

  @Test func `the time goes on from the start, a tenth of a second at ten hertz`() throws {
    let fixes = try fixes(of: "track:51,1,1?hz=10", seconds: 2)
    #expect(fixes.count == 21)
    #expect(fixes.map(\.utc).first == 1_700_000_000 && fixes.map(\.utc).last == 1_700_000_002)
  }

  /// The fix of each epoch.
  private func fixes(of text: String, seconds: Int64) throws -> [GPSFix] {
    var feed = try GPSFeed(GPSSource(text), at: start, utc: Self.utc)
    var receiver = GPSReceiver()
    var fixes: [GPSFix] = []
    while let due = feed.nextDue, due <= start + .seconds(seconds) {
      feed.advance(to: due)
      while let byte = feed.nextByte() { _ = receiver.receive(byte, at: due) }
      fixes.append(try #require(receiver.fix))
    }
    #expect(receiver.reader.refused == 0)
    return fixes
  }

  private func metres(_ a: GPSFix, _ b: GPSFix) -> Double {
    let degree = 111_195.08 / 1e7
    let (north, east) = (Double(b.latitude - a.latitude), Double(b.longitude - a.longitude))
    return ((north * north + east * east * 0.388) * degree * degree).squareRoot()
  }
}
