import TestSupport
import Testing
import WireProtocol

/// The device in C beside the Swift keychain: the same events at the same milliseconds, the
/// same frames and the same bytes in the store.
struct DeviceComparisonTests {
  @Test(arguments: UInt64(1)...(Soak.isOn ? 400 : 8))
  func `C and Swift send the same frames`(_ seed: UInt64) {
    var pair = DevicePair(seed: seed)
    for _ in 0..<250 {
      if let difference = pair.step() {
        Issue.record("seed \(seed), at \(pair.ms) ms of boot \(pair.boots): \(difference)")
        return
      }
    }
    #expect(pair.frames > 60)
  }

  @Test(arguments: UInt64(51)...(Soak.isOn ? 90 : 53))
  func `without battery and receiver, C and Swift send the same frames`(_ seed: UInt64) {
    var pair = DevicePair(seed: seed, hasParts: false)
    for _ in 0..<250 {
      if let difference = pair.step() {
        Issue.record("seed \(seed), at \(pair.ms) ms of boot \(pair.boots): \(difference)")
        return
      }
    }
    #expect(pair.frames > 60)
    let told = pair.heard.filter { [.battery, .gpsFix].contains($0.type) }
    #expect(told.isEmpty, "they have neither")
  }

  @Test(arguments: UInt64(101)...(Soak.isOn ? 500 : 108))
  func `paired, C and Swift send the same frames`(_ seed: UInt64) {
    var pair = DevicePair(seed: seed, isHeld: true)
    pair.greet()
    pair.pair()
    for _ in 0..<400 {
      if let difference = pair.stepSealed() {
        Issue.record("seed \(seed), at \(pair.ms) ms of boot \(pair.boots): \(difference)")
        return
      }
    }
    #expect(pair.proofs > 3 && pair.sealedFrames > 60, "too little was sealed")
  }
}
