import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// The pace of breathing on a Cortex-M whose time the host grants: by the board's own clock, so
/// that a busy host makes no edge late.
struct QEMUBreathingTests {
  private static let phases = Soak.isOn ? 100 : 8

  /// In, hold, out, hold: whether the light is on, and for how many milliseconds.
  private static let cycle: [[(isOn: Bool, time: Int)]] = [
    [(true, 4_000)],
    (0..<20).map { ($0 % 2 == 0, 200) },
    [(false, 4_000)],
    (0..<8).map { ($0 % 2 == 0, $0 % 2 == 0 ? 100 : 900) },
  ]

  @Test func `R70: phases of breathing last 4 s each, 5 ms more or less at the most`() throws {
    let scratch = try ScratchDirectory()
    let machine = LockstepMachine(try BoardFirmware.Board.lm3s6965evb.inLockstep(in: scratch))
    defer { machine.stop() }
    var host = BreathingHost(machine: machine)
    try host.beginDark()
    var (isOn, place, worst, edges) = (false, 0, 0, 0)
    for step in (0..<Self.phases).flatMap({ Self.cycle[$0 % 4] }) {
      if step.isOn != isOn {
        let late = try host.nextEdge(near: place, isOn: step.isOn)
        worst = max(worst, abs(late))
        (isOn, edges) = (step.isOn, edges + 1)
      }
      place += step.time
    }
    #expect(edges == Self.phases * 7)
    #expect(worst <= 5)
    print("breathing in QEMU: \(Self.phases) phases, \(edges) edges, the worst \(worst) ms")
  }

  /// A host that shows breathing, and says so anew each second.
  private struct BreathingHost {
    let machine: LockstepMachine
    private var frames = LockstepHost(seed: 1)
    /// Milliseconds since the boot; when breathing began; when it was last said.
    private var clock = 0
    private var first: Int?
    private var said: Int?

    init(machine: LockstepMachine) { self.machine = machine }

    /// Boots, waits for the light of a linked keychain to be dark, and has it breathe.
    mutating func beginDark() throws {
      _ = try machine.carryOut(
        .boot(LockstepBoot(nonce: 1, cause: .powerOn, isClosed: false, millivolts: 3_900)))
      let software = SoftwareVersion(major: 0, minor: 1, patch: 0)
      try wait(10, saying: frames.wire(Hello(role: .host, session: 7, software: software)))
      try wait(10, saying: indicate(.idle))
      var isOn = try machine.takeLight().last ?? false
      while isOn {
        try wait(1)
        isOn = try machine.takeLight().last ?? isOn
      }
      said = clock
      try wait(1, saying: indicate(.breathing))
    }

    /// Goes on until the light changes.
    /// - Returns: how many milliseconds behind its place, which counts from the first edge.
    mutating func nextEdge(near place: Int, isOn: Bool) throws -> Int {
      if let first {
        while clock < first + place - 20 { try wait(min(200, first + place - 20 - clock)) }
      }
      for _ in 0..<1_000 {
        let changes = try machine.takeLight()
        if !changes.isEmpty {
          #expect(changes == [isOn], "at \(clock - (first ?? clock)) ms")
          if first == nil { first = clock }
          return clock - (first ?? 0) - place
        }
        try wait(1)
      }
      Issue.record("at \(place) ms no edge within a second")
      return .max
    }

    private mutating func wait(_ milliseconds: Int, saying link: [UInt8] = []) throws {
      var link = link
      if let last = said, clock - last >= 1_000, link.isEmpty {
        said = clock
        link = indicate(.breathing)
      }
      _ = try machine.carryOut(
        .grant(
          LockstepGrant(
            milliseconds: UInt16(milliseconds), link: link, isClosed: false, millivolts: 3_900)))
      clock += milliseconds
    }

    private mutating func indicate(_ state: ShownState) -> [UInt8] {
      frames.wire(
        Indicate(
          session: 7, incident: 0, revision: state == .idle ? 1 : 2, state: state, detail: 0,
          sounder: false, lease: 5_000))
    }
  }
}
