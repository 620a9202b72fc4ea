import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// Keychains that are sound or defective, on a line that comes and goes, and an owner who switches
/// off.
struct OlderPressPropertyTests {
  @Test(arguments: 0..<(Soak.isOn ? 3 : 1))
  func `a press is set aside only if every piece of evidence agrees`(_ series: UInt64) {
    var (setAside, alarms) = (0, 0)
    for seed in series * 100..<series * 100 + 100 {
      var world = World(seed: seed)
      for _ in 0..<60 { world.step() }
      setAside += world.setAside
      alarms += world.keychain.bench.store.incidents.count
    }
    #expect(setAside > 0 && alarms > 50, "\(setAside) set aside, \(alarms) alarms")
  }

  private struct World {
    let seed: UInt64
    var random: SeededGenerator
    var keychain = KeychainBench.linked()
    private(set) var setAside = 0

    init(seed: UInt64) {
      self.seed = seed
      random = SeededGenerator(seed: seed)
      guard seed % 2 == 0 else { return }
      fallIll()
    }

    private mutating func fallIll() {
      let bits = UInt64.random(in: 16...30, using: &random)
      let stands = Int64.random(in: 10_000_000...200_000_000, using: &random)
      switch UInt8.random(in: 0...4, using: &random) {
      case 0: keychain.stamp = { UInt64($0) & (1 << bits - 1) }
      case 1: keychain.stamp = { UInt64(min($0, stands)) }
      case 2: keychain.stamp = { UInt64(max(0, 2 * stands - $0)) }
      case 3: keychain.uptime = { UInt64(min($0, stands)) }
      default: break
      }
    }

    mutating func step() {
      switch UInt8.random(in: 0...13, using: &random) {
      case 0, 1: keychain.run(for: .seconds(.random(in: 1...30, using: &random)))
      case 2: keychain.isLinked ? keychain.unplug() : keychain.link()
      case 3: if keychain.isLinked { keychain.miss() }
      case 4, 5, 6: keychain.make()
      case 7, 8: if keychain.isLinked { hear(keychain.makeLive()) }
      case 9, 10:
        guard keychain.isLinked, let place = keychain.kept.indices.randomElement(using: &random)
        else { break }
        hear(keychain.takeKept(at: place))
      case 11, 12: if keychain.bench.state.isOpen { keychain.disarm() }
      default: misbehave()
      }
    }

    private mutating func misbehave() {
      guard seed % 2 == 0 else { return }
      switch UInt8.random(in: 0...5, using: &random) {
      case 0:
        keychain.next = EventNumber(rawValue: .random(in: 1...(1 << 33), using: &random))
      case 1: keychain.next = EventNumber(boot: 1, n: 2)
      case 2:
        keychain.unplug()
        keychain.reset(nonce: keychain.nonce)
        keychain.link()
      default: break
      }
    }

    private mutating func hear(_ record: EventRecord) {
      let model = EvidenceModel(history: keychain.history)
      let before = keychain.setAside
      let happenedAt = keychain.fitted(record)
      let now = keychain.bench.now.instant
      keychain.hear(record)
      guard keychain.setAside > before else { return }
      setAside += 1
      #expect(
        model.allows(record.identity, happenedAt, at: now),
        "seed \(seed): event \(record.identity.number.text) was set aside")
    }
  }
}
