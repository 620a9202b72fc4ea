import FobBase
import Testing
import WireProtocol

@testable import Emulator

/// Each fault of a line, at each byte of an emergency (each fifth, and each last, where it is no
/// soak) and at one byte in a hundred: no press is lost, doubled or made up, and no frame but those
/// that were hit.
@Suite struct FaultSearchTests {
  /// One fault that is tried at every byte of a direction.
  struct Trial: Sendable, CustomStringConvertible {
    let kind: WireFault.Kind
    let direction: WireFault.Direction
    var value: UInt8?
    var pause: Interval?

    static let all: [Trial] = [WireFault.Direction.host, .device].flatMap { direction in
      WireFault.Kind.allCases.map { Trial(kind: $0, direction: direction) }
        + [Trial(kind: .insert, direction: direction, value: 0)]
        + (soak ? thorough(direction) : [])
    }

    /// Each bit, and a stall that is longer than a host waits before it takes a device for silent.
    private static func thorough(_ direction: WireFault.Direction) -> [Trial] {
      (0..<8).map { Trial(kind: .flip, direction: direction, value: $0) }
        + [Trial(kind: .stall, direction: direction, pause: .seconds(4))]
    }

    /// - Parameter byte: of those that are still to be sent.
    func fault(at byte: Int, seed: Int) -> WireFault {
      WireFault(
        kind, .at(Int64(byte)), to: direction, seed: UInt64(seed), pause: pause, value: value)
    }

    var description: String {
      let detail = value.map { " of \($0)" } ?? pause.map { " of \($0.microseconds / 1_000) ms" }
      return "\(kind)\(detail ?? "") to \(direction)"
    }
  }

  @Test(arguments: Trial.all)
  func `one fault at any byte of an emergency loses nothing but the frame that it hit`(
    _ trial: Trial
  ) {
    let places = Emergency().places(trial.direction)
    var bytes = 0
    var frames = 0
    var sum = Verdict()
    var latest = FaultWorld.bootedAt
    for (place, next) in zip(places, places.dropFirst()) {
      for byte in place.sent..<next.sent where Self.soak || byte % 5 == 0 || byte + 1 == next.sent {
        let world = Emergency.end(place, trial.fault(at: byte - place.sent, seed: byte))
        let verdict = Verdict(world)
        #expect(verdict.isExact, "byte \(byte): \(verdict)")
        #expect(Emergency.isOver(world), "byte \(byte): the light shows its end")
        #expect(world.strikes == 1, "byte \(byte)")
        frames += checkFrames(world, trial, byte)
        bytes += 1
        sum.add(verdict)
        latest = max(latest, world.now)
      }
    }
    #expect(bytes > (Self.soak ? 500 : 100), "an emergency has more bytes than that")
    let seconds = Double((latest - FaultWorld.bootedAt).microseconds) / 1_000_000
    print(
      "fault \(trial), at \(bytes) bytes: \(frames) frames lost; \(sum); over after"
        + " \(seconds) s at the latest")
  }

  /// Every frame is heard but the one that was hit, and the next where a delimiter was lost.
  /// - Returns: how many were lost.
  private func checkFrames(_ world: FaultWorld, _ trial: Trial, _ byte: Int) -> Int {
    let back: WireFault.Direction = trial.direction == .host ? .device : .host
    #expect(world.tap(back).lost == [], "byte \(byte)")
    let tap = world.tap(trial.direction)
    guard let lost = tap.lost else {
      Issue.record("byte \(byte): a frame was heard that was never sent")
      return 0
    }
    var mayBeLost: [Int] = []
    if trial.kind.damages, let hit = tap.sent.firstIndex(where: { $0.end > byte }) {
      mayBeLost = tap.sent[hit].end == byte + 1 ? [hit, hit + 1] : [hit]
    }
    #expect(lost.allSatisfy(mayBeLost.contains), "byte \(byte): \(lost)")
    return lost.count
  }
}
