import CProtocolReference
import Testing
import WireProtocol

/// What the board reads and the device in C passes on: the position, the time that storing took.
struct ReadingReferenceTests {
  private let bench = CBench()

  init() {
    bench.boot(1, nonce: 41)
    bench.run(until: 2_500_000)
    _ = bench.takeSent()
  }

  @Test func `a fix is sent at most once a second, and at once when its quality changes`() throws {
    bench.report(fix(quality: 2))
    #expect(fixes().count == 1)
    bench.run(until: bench.clock + 500_000)
    bench.report(fix(quality: 2))
    #expect(fixes().isEmpty)
    bench.report(fix(quality: 1))
    #expect(fixes().map(\.quality) == [.weak])
    bench.run(until: bench.clock + 1_000_000)
    bench.report(fix(quality: 1))
    let sent = try #require(fixes().first)
    #expect(sent.latitude == 525_000_000 && sent.longitude == -134_000_000)
  }

  @Test func `a press carries the position and its age`() throws {
    bench.report(fix(quality: 2))
    bench.run(until: bench.clock + 700_000)
    let position = try #require(press()).position
    #expect(position.quality == .good && position.latitude == 525_000_000)
    // To a tick of 1.024 ms.
    #expect((714...715).contains(position.age))
  }

  @Test func `a press without a fix says so`() throws {
    let position = try #require(press()).position
    #expect(position.quality == .none && !position.isKnown && position.accuracy == .max)
  }

  @Test func `a receiver that searches is told, and a press knows that there was never a fix`()
    throws
  {
    bench.report(fob_gps_fix())
    #expect(fixes().map(\.quality) == [.none])
    #expect(try #require(press()).position.isKnown == false)
  }

  @Test func `a press after the fix was lost carries the last place, and says that it is lost`()
    throws
  {
    bench.report(fix(quality: 2))
    var lost = fix(quality: 0)
    lost.latitude = 0
    bench.report(lost)
    let position = try #require(press()).position
    #expect(position.quality == .none && position.latitude == 525_000_000, "the last place stays")
  }

  @Test func `the time that storing took is in commit_delta`() throws {
    bench.writeTakes = 4_000
    #expect(try #require(press()).commitDelta == 19_000)
  }

  private func fix(quality: UInt8) -> fob_gps_fix {
    var fix = fob_gps_fix()
    fix.clock = bench.clock
    fix.quality = quality
    fix.latitude = 525_000_000
    fix.longitude = -134_000_000
    fix.accuracy = 25
    return fix
  }

  private func fixes() -> [PositionFix] { read(.gpsFix) { PositionFix($0) } }

  /// Closes the contact; the event that comes of it.
  private func press() -> EventRecord? {
    _ = bench.takeSent()
    bench.setContact(closed: true)
    bench.run(until: bench.clock + 30_000)
    return read(.event) { EventRecord($0) }.first { $0.identity.kind == .pressed }
  }

  private func read<P>(_ type: MessageType, _ payload: (UnsafeRawBufferPointer) -> P?) -> [P] {
    bench.takeSent().filter { $0[1] == type.rawValue }.compactMap { body in
      body.dropFirst(4).withUnsafeBytes(payload)
    }
  }
}
