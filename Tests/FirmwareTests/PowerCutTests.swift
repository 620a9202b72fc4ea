import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Firmware

/// Power goes after any byte of any write. A press that was told, and not acked, must be there
/// after the reset.
struct PowerCutTests {
  /// A normal run tries each ninth byte, which over all writes falls on every byte of a record.
  static let step = Soak.isOn ? 1 : 9

  /// The numbers that the keychain holds after a reset, those taken over included.
  private func keptAfterReset(_ bench: Bench) -> Set<UInt32> {
    bench.reboot(.brownOut)
    var numbers: Set<UInt32> = []
    for press in bench.kept where press.identity.kind == .pressed {
      let number = press.identity.number.n
      numbers.insert(number)
      if press.flags.contains(.merged) { numbers.formUnion(press.firstCovered.n...number) }
    }
    return numbers
  }

  private func presses(_ frames: [DeviceFrame]) -> Set<UInt32> {
    Set(frames.events(.pressed).map(\.identity.number.n))
  }

  /// Presses with acks between them, on a device whose power goes after `bytes` written bytes; the
  /// presses that were told and not acked.
  private func told(_ bench: Bench, cutAfter bytes: Int?, seed: UInt64) -> Set<UInt32> {
    var random = SeededGenerator(seed: seed)
    bench.board.store.powerLeft = bytes
    var acked: Set<UInt32> = []
    for _ in 0..<4 {
      bench.press(hold: 21, pause: 21)
      guard Bool.random(using: &random) else { continue }
      guard let any = bench.sent.events(.pressed).randomElement(using: &random) else { continue }
      bench.ack(any)
      acked.insert(any.identity.number.n)
    }
    return presses(bench.sent).subtracting(acked)
  }

  @Test(arguments: UInt64(1)...6)
  func `no committed press is lost by a cut at any byte`(_ seed: UInt64) {
    let start = Bench(acks: { $0.identity.kind != .pressed })
    start.run(ms: 30)
    let whole = Bench(copying: start)
    _ = told(whole, cutAfter: nil, seed: seed)
    let bytes = whole.board.store.written - start.board.store.written
    #expect(bytes > 8 * 68)
    for cut in stride(from: Int(seed) % Self.step, to: bytes, by: Self.step) {
      let bench = Bench(copying: start)
      let told = told(bench, cutAfter: cut, seed: seed)
      let kept = keptAfterReset(bench)
      #expect(told.isSubset(of: kept), "after \(cut) bytes: \(told.subtracting(kept))")
    }
  }

  @Test func `no committed press is lost by a cut while presses are merged`() {
    let full = Bench(acks: { $0.identity.kind != .pressed })
    full.run(ms: 30)
    for _ in 0..<64 { full.press(hold: 21, pause: 21) }
    for cut in stride(from: 0, through: 4 * 68 + 1, by: Self.step) {
      let bench = Bench(copying: full)
      bench.board.store.powerLeft = cut
      for _ in 0..<2 { bench.press(hold: 21, pause: 21) }
      let told = presses(bench.sent)
      let kept = keptAfterReset(bench)
      #expect(told.isSubset(of: kept), "after \(cut) bytes: \(told.subtracting(kept))")
      #expect(bench.kept.count == Limits.deviceEvents)
    }
  }

  @Test func `a press taken over is not told beside its merged one when power went between both`() {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.run(ms: 30)
    for _ in 0..<64 { bench.press(hold: 21, pause: 21) }
    bench.board.store.powerLeft = EventStore.slotSize
    bench.press(hold: 21, pause: 21)
    bench.reboot(.brownOut)
    let kept = bench.kept.filter { $0.identity.kind == .pressed }
    let merged = kept.filter { $0.flags.contains(.merged) }
    #expect(merged.map(\.covered) == [2])
    #expect(kept.reduce(0) { $0 + max(1, Int($1.covered)) } == 65)
    #expect(!kept.contains { $0.identity.number == merged.first?.firstCovered })
    bench.run(ms: 4_000)
    let told = Set(bench.sent.events(.pressed).map(\.identity.number))
    #expect(told == Set(kept.map(\.identity.number)))
  }
}
