import Firmware
import FobBase
import NMEA
import Testing
import WireProtocol

@testable import Emulator

/// What the firmware makes of a receiver's troubles, second by second.
@Suite struct GPSScriptTests {
  private static let place = Coordinates.observatory

  @Test func `a cold start is no fix, then weak, then good`() throws {
    let qualities = try qualities(of: .coldStart, seconds: 60)
    #expect(qualities[..<30].allSatisfy { $0 == .none })
    #expect(qualities[31..<45].allSatisfy { $0 == .weak })
    #expect(qualities[46...].allSatisfy { $0 == .good })
  }

  @Test func `in a tunnel the last place is kept, and known to be old`() throws {
    let world = try VirtualKeychain(gps: .story(.tunnel, at: Self.place, loop: false))
    world.run(ms: 60_500)
    let inside = world.keychain.position(at: world.board.now())
    #expect(inside.quality == PositionQuality.none)
    #expect(inside.latitude == Self.place.latitude)
    #expect((31_000...33_000).contains(inside.age))
    world.run(ms: 31_000)
    #expect(world.keychain.position(at: world.board.now()).quality == .good)
  }

  @Test func `three satellites and an HDOP of 12 are weak`() throws {
    let world = try VirtualKeychain(gps: .story(.weak, at: Self.place, loop: false))
    world.run(ms: 2_000)
    let position = world.keychain.position(at: world.board.now())
    #expect(position.quality == .weak && position.satellites == 3)
    #expect(position.accuracy == 600)
  }

  @Test func `a date that rolled over changes nothing of the place`() throws {
    let source = GPSSource.story(.rollover, at: Self.place, loop: false)
    var feed = try GPSFeed(source, at: VirtualKeychain.start, utc: 1_700_000_000_000_000)
    feed.advance(to: VirtualKeychain.start)
    var text: [UInt8] = []
    while let byte = feed.nextByte() { text.append(byte) }
    // 2023-11-14 less 1024 weeks.
    #expect(String(decoding: text, as: UTF8.self).contains(",300304,"))
    let world = try VirtualKeychain(gps: source)
    world.run(ms: 2_000)
    #expect(world.keychain.position(at: world.board.now()).quality == .good)
  }

  @Test func `a dumb receiver is known as one after five seconds`() throws {
    let qualities = try qualities(of: .silence, seconds: 50)
    #expect(qualities[1..<30].allSatisfy { $0 == .good })
    #expect(qualities[36...].allSatisfy { $0 == .none })
  }

  @Test func `a story told again and again begins anew, and its clock can be set`() throws {
    let world = try VirtualKeychain(gps: .story(.tunnel, at: Self.place, loop: true))
    world.run(ms: 4 * 120_000 + 60_500)
    #expect(world.keychain.position(at: world.board.now()).quality == PositionQuality.none)
    let isSet = world.board.gps.setStoryClock(.seconds(95), now: world.now)
    #expect(isSet)
    world.run(ms: 2_000)
    #expect(world.keychain.position(at: world.board.now()).quality == .good)
  }

  @Test func `a press in a tunnel is as quick as any`() throws {
    let world = try VirtualKeychain(gps: .story(.tunnel, at: Self.place, loop: false))
    world.run(ms: 70_000)
    _ = try world.board.button.press(hold: .milliseconds(120), at: world.now)
    world.run(ms: 25)
    let press = try #require(world.presses.first)
    #expect(press.position.quality == PositionQuality.none)
    #expect(press.position.latitude == Self.place.latitude && press.commitDelta < 25_000)
  }

  /// At the middle of each second.
  private func qualities(of story: GPSScript, seconds: Int) throws -> [PositionQuality] {
    let world = try VirtualKeychain(gps: .story(story, at: Self.place, loop: false))
    world.run(ms: 500)
    return (0..<seconds).map { _ in
      defer { world.run(ms: 1_000) }
      return world.keychain.position(at: world.board.now()).quality
    }
  }
}
