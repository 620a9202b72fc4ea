import Firmware
import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

@Suite struct ButtonTroubleTests {
  @Test(arguments: UInt64(1)...10)
  func `a tired spring lets go for 0.1 to 5 ms, again and again while held`(
    _ seed: UInt64
  ) throws {
    var button = SimulatedButton(bounce: ContactBounce(seed: seed))
    let start = VirtualKeychain.start
    button.setChatter(true, seed: nil, at: start)
    _ = try button.hold(at: start)
    var edges: [ButtonEdge] = []
    // Behind the bounce of the closing.
    let held = start + .milliseconds(10)
    while let edge = button.take(upTo: start + .seconds(30)) {
      if edge.at > held || !edges.isEmpty { edges.append(edge) }
    }
    if edges.first?.closed == true { edges.removeFirst() }
    if edges.count % 2 == 1 { edges.removeLast() }
    #expect(edges.count > 1_000)
    for at in stride(from: 0, to: edges.count, by: 2) {
      #expect(!edges[at].closed && edges[at + 1].closed)
      let open = (edges[at + 1].at - edges[at].at).microseconds
      #expect((100...5_000).contains(open))
    }
    try button.release(at: start + .seconds(30))
    while button.take(upTo: Instant(microseconds: .max)) != nil {}
    #expect(!button.isClosed && button.nextEdge == nil)
  }

  @Test(arguments: UInt64(1)...10)
  func `a button held for a minute by a tired spring is one press and one release`(
    _ seed: UInt64
  ) throws {
    let world = try VirtualKeychain(bounceSeed: seed)
    world.run(ms: 500)
    world.board.button.setChatter(true, seed: nil, at: world.now)
    _ = try world.board.button.hold(at: world.now)
    world.run(ms: 60_000)
    #expect(world.presses.count == 1 && world.releases.isEmpty)
    try world.board.button.release(at: world.now)
    world.run(ms: 200)
    #expect(world.presses.count == 1 && world.releases.count == 1)
  }

  @Test func `chatter can begin and end while the button is held`() throws {
    let world = try VirtualKeychain(bounceSeed: 4)
    _ = try world.board.button.hold(at: world.now)
    world.run(ms: 1_000)
    #expect(world.board.button.nextEdge == nil)
    world.board.button.setChatter(true, seed: 9, at: world.now)
    #expect(world.board.button.nextEdge != nil)
    world.run(ms: 1_000)
    world.board.button.setChatter(false, seed: nil, at: world.now)
    world.run(ms: 100)
    #expect(world.board.button.nextEdge == nil && world.board.button.isClosed)
    #expect(world.presses.count == 1 && world.releases.isEmpty)
  }

  @Test func `a stuck button is one press for ever, until it is freed`() throws {
    let world = try VirtualKeychain(bounceSeed: 2)
    world.run(ms: 100)
    try world.board.button.stick(at: world.now)
    world.run(ms: 3_600_000)
    #expect(world.presses.count == 1 && world.releases.isEmpty)
    #expect(throws: CommandRefusal.self) { try world.board.button.stick(at: world.now) }
    #expect(throws: CommandRefusal.self) {
      try world.board.button.press(hold: .milliseconds(100), at: world.now)
    }
    try world.board.button.unstick(at: world.now)
    world.run(ms: 200)
    #expect(world.releases.count == 1)
    #expect(throws: CommandRefusal.self) { try world.board.button.unstick(at: world.now) }
    _ = try world.board.button.press(hold: .milliseconds(100), at: world.now)
    world.run(ms: 300)
    #expect(world.presses.count == 2 && world.releases.count == 2)
  }

  @Test func `a finger that leaves a stuck button opens nothing, one that stays keeps it closed`()
    throws
  {
    let world = try VirtualKeychain(bounceSeed: 2)
    _ = try world.board.button.hold(at: world.now)
    world.run(ms: 100)
    try world.board.button.stick(at: world.now)
    try world.board.button.unstick(at: world.now)
    world.run(ms: 100)
    #expect(world.releases.isEmpty, "the finger is still there")
    try world.board.button.stick(at: world.now)
    try world.board.button.release(at: world.now)
    world.run(ms: 1_000)
    #expect(world.releases.isEmpty && world.board.button.isClosed)
    try world.board.button.unstick(at: world.now)
    world.run(ms: 100)
    #expect(world.presses.count == 1 && world.releases.count == 1)
  }

  @Test(arguments: UInt64(1)...40)
  func `whatever the finger does, the contact ends where it should`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var button = SimulatedButton(bounce: ContactBounce(seed: seed))
    var now = VirtualKeychain.start
    var last = now
    for _ in 0..<200 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0: _ = try? button.press(hold: .milliseconds(30), at: now)
      case 1: _ = try? button.hold(at: now)
      case 2: try? button.release(at: now)
      case 3: try? button.stick(at: now)
      case 4: try? button.unstick(at: now)
      case 5: button.setChatter(.random(using: &random), seed: nil, at: now)
      default: break
      }
      now = now + .microseconds(.random(in: 0...90_000, using: &random))
      while let edge = button.take(upTo: now) {
        #expect(edge.at >= last && edge.at <= now, "edges come in order")
        last = edge.at
      }
    }
    button.setChatter(false, seed: nil, at: now)
    let rest = button.isHeld || button.isStuck
    _ = button.take(upTo: Instant(microseconds: .max))
    button.skip(to: Instant(microseconds: .max))
    #expect(button.isClosed == rest)
  }
}

/// The power goes while a finger is on the button (protocol: "Presses", "Events").
extension ButtonTroubleTests {
  @Test(arguments: [ResetCause.brownOut, .watchdog, .software, .resetPin, .unknown])
  func `held through a reset it is a press at boot`(_ cause: ResetCause) throws {
    let world = try held()
    world.reboot(cause)
    world.run(ms: 500)
    #expect(world.presses.map(\.flags) == [.atBoot])
    #expect(world.distinct(.fault).isEmpty && world.releases.isEmpty)
    try world.board.button.release(at: world.now)
    world.run(ms: 200)
    #expect(world.releases.count == 1)
  }

  @Test func `held through a power cut it is stuck, and a press only after a release`() throws {
    let world = try held()
    world.reboot(.powerOn)
    world.run(ms: 2_000)
    #expect(world.presses.isEmpty)
    #expect(world.distinct(.fault).map(\.detail) == [FaultCode.buttonStuck.rawValue])
    try world.board.button.release(at: world.now)
    world.run(ms: 200)
    #expect(world.releases.count == 1 && world.presses.isEmpty)
    _ = try world.board.button.press(hold: .milliseconds(100), at: world.now)
    world.run(ms: 300)
    #expect(world.presses.map(\.flags) == [EventRecord.Flags.none])
  }

  @Test(arguments: [ResetCause.brownOut, .powerOn])
  func `released while the board is off it is neither pressed nor released at boot`(
    _ cause: ResetCause
  ) throws {
    let world = try held()
    let pressed = try #require(world.presses.first?.identity.number)
    try world.board.button.release(at: world.now)
    world.reboot(cause, after: .milliseconds(200))
    world.run(ms: 1_000)
    #expect(world.presses.isEmpty && world.releases.isEmpty && world.distinct(.fault).isEmpty)
    let replays = world.events.filter { $0.flags.contains(.replayed) }
    #expect(replays.contains { $0.identity.number == pressed }, "the press of before is told")
    _ = try world.board.button.press(hold: .milliseconds(100), at: world.now)
    world.run(ms: 300)
    #expect(world.presses.count == 1 && world.releases.count == 1)
  }

  @Test func `pressed while the board is off and held it is a press at boot`() throws {
    let world = try VirtualKeychain(bounceSeed: 6)
    world.run(ms: 1_000)
    _ = try world.board.button.hold(at: world.now + .milliseconds(20))
    world.reboot(.brownOut, after: .milliseconds(100))
    world.run(ms: 100)
    #expect(world.presses.map(\.flags) == [.atBoot])
  }

  @Test func `a tired spring through a brown-out is still one press at boot`() throws {
    for seed in UInt64(1)...20 {
      let world = try held(seed: seed, chatters: true)
      world.reboot(.brownOut)
      world.run(ms: 1_000)
      #expect(world.presses.count == 1, "seed \(seed)")
      #expect(world.releases.isEmpty && world.distinct(.fault).isEmpty)
    }
  }

  /// A second in the hold of a press that no host has acked.
  private func held(seed: UInt64 = 6, chatters: Bool = false) throws -> VirtualKeychain {
    let world = try VirtualKeychain(bounceSeed: seed)
    world.acks = false
    world.run(ms: 1_000)
    world.board.button.setChatter(chatters, seed: nil, at: world.now)
    _ = try world.board.button.hold(at: world.now)
    world.run(ms: 1_000)
    #expect(world.presses.count == 1)
    return world
  }
}
