import FobBase

/// Orders, and what the firmware in this process brought to the host at each.
package struct LockstepScript: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    /// Milliseconds since the boot, before the order.
    package var at: Int
    package var order: LockstepOrder
    package var sent: [UInt8]
  }

  package let seed: UInt64
  package private(set) var steps: [Step] = []

  /// The same for the same seed: two boots of a keychain with a finger, a battery, a GPS receiver
  /// and a host that asks, acks and is damaged on the way.
  package init(seed: UInt64) {
    self.seed = seed
    var author = LockstepAuthor(seed: seed)
    for _ in 0..<2 { steps += author.writeLife() }
  }

  package var bytes: Int { steps.reduce(0) { $0 + $1.sent.count } }

  /// Carries out every order.
  /// - Returns: where the target first did something else, in one line; nil when it never did.
  package func difference<Target: LockstepTarget>(
    on target: inout Target
  ) throws -> String? {
    for (index, step) in steps.enumerated() {
      let sent = try target.carryOut(step.order)
      guard sent != step.sent else { continue }
      let same = zip(sent, step.sent).prefix { $0 == $1 }.count
      return "seed \(seed), step \(index), \(step.at) ms after the boot, byte \(same):"
        + " the emulator sent \(Hex.text(step.sent)), the other \(Hex.text(sent))"
    }
    return nil
  }
}
