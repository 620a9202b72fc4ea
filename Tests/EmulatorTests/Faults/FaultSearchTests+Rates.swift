import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

extension FaultSearchTests {
  static let soak = Soak.isOn
  private static let presses = soak ? 10_000 : 200

  struct Mixture: Sendable, CustomStringConvertible {
    let kinds: [WireFault.Kind]
    /// Of each.
    let rate: Double

    static let all: [Mixture] =
      WireFault.Kind.allCases.map { Mixture(kinds: [$0], rate: 0.01) } + [
        Mixture(kinds: WireFault.Kind.allCases, rate: 0.01 / 6),
        Mixture(kinds: WireFault.Kind.allCases, rate: 0.01),
      ]

    var description: String {
      let percent = "\((rate * 1_000).rounded() / 10) % of bytes"
      return kinds.count == 1 ? "\(kinds[0]), \(percent)" : "all kinds, each \(percent)"
    }
  }

  @Test(arguments: Mixture.all)
  func `faults at one byte in a hundred, both ways, lose no press`(_ mixture: Mixture) {
    var world = FaultWorld()
    for (index, kind) in mixture.kinds.enumerated() {
      world.set(WireFault(kind, .rate(mixture.rate), seed: 0xFA17 + UInt64(index)))
    }
    for _ in 0..<Self.presses { world.press(after: .milliseconds(240)) }
    // The presses take 0.3 s each; then whatever still waits must come through all the same.
    let end = world.now + .milliseconds(300 * Int64(Self.presses)) + .seconds(900)
    world.run(until: end) { $0.isSettled }
    let settled = world.now
    let verdict = Verdict(world)
    #expect(world.isSettled && verdict.isExact, "\(mixture): \(verdict)")
    #expect(world.hostTap.lost != nil && world.deviceTap.lost != nil, "damage passed for a frame")
    let bytes = world.hostTap.bytesSent + world.deviceTap.bytesSent
    let strikes = world.strikes
    #expect(strikes > bytes / 200 || mixture.kinds == [.stall], "the faults were in force")
    world.clearFaults()
    world.run(until: world.now + .seconds(20)) { $0.shown == .accepted }
    #expect(world.shown == .accepted, "\(mixture): the light says so once the line is good")
    let seconds = (settled - FaultWorld.bootedAt).microseconds / 1_000_000
    print("fault \(mixture): \(strikes) of \(bytes) bytes hit in \(seconds) s; \(verdict)")
  }
}
