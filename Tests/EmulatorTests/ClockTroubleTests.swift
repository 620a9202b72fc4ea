import Firmware
import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// The firmware and the host with a clock that does what no clock should.
@Suite struct ClockTroubleTests {
  @Test(arguments: [Int64(-5), -90, 5, 3_600])
  func `a press after a jump of the clock comes as quickly as ever`(_ seconds: Int64) throws {
    let world = try VirtualKeychain(bounceSeed: 3)
    world.run(ms: 120_000)
    world.board.clock.jump(by: .seconds(seconds), at: world.now)
    let pressed = world.now + .milliseconds(1)
    world.run(until: pressed)
    _ = try world.board.button.press(hold: .milliseconds(120), at: pressed)
    world.run(ms: 60)
    let press = try #require(world.presses.first)
    #expect(press.commitDelta < 30_000)
    let stamped = world.board.hostInstant(press.identity.clock)
    #expect((stamped - pressed).microseconds.magnitude <= 10_000)
    world.run(ms: 5_000)
    #expect(world.presses.count == 1 && world.releases.count == 1)
  }

  @Test func `a press under way while the clock goes back is no later for it`() throws {
    let world = try VirtualKeychain()
    world.run(ms: 60_000)
    _ = try world.board.button.press(hold: .milliseconds(120), at: world.now)
    world.run(ms: 10)
    world.board.clock.jump(by: .seconds(-40), at: world.now)
    world.run(ms: 15)
    let press = try #require(world.presses.first)
    #expect((14_000...20_000).contains(press.commitDelta))
    world.run(ms: 200)
    #expect(world.presses.count == 1 && world.releases.count == 1)
  }

  @Test func `what waits is sent again after a jump back, and heartbeats go on`() throws {
    let world = try VirtualKeychain()
    world.acks = false
    world.run(ms: 100_000)
    _ = try world.board.button.press(hold: .milliseconds(120), at: world.now)
    world.run(ms: 10_000)
    world.board.clock.jump(by: .seconds(-60), at: world.now)
    let sent = world.events.count
    let beats = world.heartbeats.count
    world.run(ms: 3_000)
    #expect(world.events[sent...].contains { $0.identity.kind == .pressed })
    #expect(world.heartbeats.count - beats >= 3)
    world.acks = true
    world.run(ms: 3_000)
    #expect(world.keychain.unackedCount == 0)
  }

  @Test(arguments: UInt64(1)...25)
  func `each press is one event, however often the clock jumps`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = try VirtualKeychain(bounceSeed: seed)
    world.delay = { .random(in: 50...2_000, using: &random) }
    var chance = SeededGenerator(seed: seed &* 977)
    world.run(ms: .random(in: 1...20_000, using: &chance))
    for n in 1...12 {
      _ = try world.board.button.press(
        hold: .milliseconds(.random(in: 60...200, using: &chance)), at: world.now)
      for _ in 0..<Int.random(in: 0...3, using: &chance) {
        world.run(ms: .random(in: 0...80, using: &chance))
        // Not forward while the contact bounces: time that passed unseen is contact or gap.
        let back = Int64.random(in: -30_000_000 ... -1, using: &chance)
        world.board.clock.jump(by: .microseconds(back), at: world.now)
      }
      world.run(ms: 400)
      #expect(world.presses.count == n, "press \(n)")
      world.board.clock.jump(
        by: .microseconds(.random(in: 0...3_600_000_000, using: &chance)), at: world.now)
      world.run(ms: .random(in: 100...3_000, using: &chance))
    }
    #expect(world.releases.count == 12)
  }

  @Test func `a lease and a position are no fresher after a jump back`() throws {
    let world = try VirtualKeychain(gps: .story(.silence, at: .observatory, loop: false))
    world.run(ms: 40_000)
    #expect(world.keychain.position(at: world.board.now()).quality == PositionQuality.none)
    world.board.clock.jump(by: .seconds(-30), at: world.now)
    world.run(ms: 10)
    let position = world.keychain.position(at: world.board.now())
    #expect(position.quality == PositionQuality.none)
    #expect((9_000...12_000).contains(position.age))
  }

  @Test(arguments: [Int32(100), -100])
  func `the host fits a drift of 100 ppm`(_ ppm: Int32) throws {
    var random = SeededGenerator(seed: 5)
    let world = try VirtualKeychain(driftPPM: ppm)
    world.delay = { .random(in: 30...200, using: &random) }
    world.run(ms: 200_000)
    let fit = try #require(world.host.fit)
    // The host's clock gains what the board's loses.
    #expect(abs(fit.drift + Int64(ppm) * 1_000) <= 3_000)
    #expect(abs(error(world)) <= fit.uncertainty + 200)
  }

  @Test(arguments: [Int64(-5_000_000), 5_000_000, 300_000, -300_000, 60_000_000])
  func `the host notices a jump by the next exchange`(_ jump: Int64) throws {
    var random = SeededGenerator(seed: UInt64(bitPattern: jump))
    let world = try VirtualKeychain()
    world.delay = { .random(in: 30...200, using: &random) }
    world.run(ms: 200_000)
    #expect(abs(error(world)) <= (try #require(world.host.fit).uncertainty))
    world.board.clock.jump(by: .microseconds(jump), at: world.now)
    world.run(ms: 10_500)
    let fit = try #require(world.host.fit)
    #expect(abs(error(world)) <= fit.uncertainty)
    world.run(ms: 200_000)
    #expect(abs(error(world)) <= (try #require(world.host.fit).uncertainty))
    #expect(abs(try #require(world.host.fit).drift) <= 3_000)
  }

  /// Microseconds by which the host misreads a stamp of now.
  private func error(_ world: VirtualKeychain) -> Int64 {
    let stamp = UInt64(bitPattern: world.board.now().microseconds)
    guard let fit = world.host.fit else { return .max }
    return (fit.hostInstant(stamp) - world.now).microseconds
  }
}
