import Firmware
import FobBase
import WireProtocol

/// What became of the presses, judged from outside: the finger's doing against the store's entries.
struct Verdict: Equatable, CustomStringConvertible {
  var presses = 0
  /// Presses that stand in the entry of another, since the keychain's ring was full.
  var merged = 0
  /// Without an entry, their own or a merged one that stands for them.
  var lost = 0
  /// Events with more than one entry.
  var doubled = 0
  /// Entries of something that never happened.
  var invented = 0
  /// Events sent again.
  var resent = 0
  var unacked = 0
  var incidents = 0

  init() {}

  init(_ world: FaultWorld) {
    let entries = world.host.store.entries
    let pressed = entries.filter { $0.identity.kind == .pressed }
    presses = world.presses.count
    let single = Set(pressed.map(\.identity.clock))
    var covered = single
    for entry in pressed {
      guard entry.flags.contains(.merged) else { continue }
      let before = world.presses.filter { $0 < entry.identity.clock }
      covered.formUnion(before.suffix(Int(entry.covered) - 1))
    }
    merged = world.presses.count { covered.contains($0) && !single.contains($0) }
    lost = world.presses.count { !covered.contains($0) }
    doubled = entries.count - Set(entries.map(\.identity)).count
    let done = Set(world.presses)
    let told = Set(world.hostTap.sent.compactMap(\.identity))
    invented = entries.count {
      !told.contains($0.identity)
        || $0.identity.kind == .pressed && !done.contains($0.identity.clock)
    }
    resent = world.hostTap.sent.count { $0.identity != nil && $0.isResent }
    unacked = world.keychain.unackedCount
    incidents = world.host.incidentsOpened
  }

  mutating func add(_ other: Verdict) {
    presses += other.presses
    merged += other.merged
    lost += other.lost
    doubled += other.doubled
    invented += other.invented
    resent += other.resent
    unacked += other.unacked
    incidents += other.incidents
  }

  /// Each press is one entry, and one incident stands for them all.
  var isExact: Bool {
    lost == 0 && doubled == 0 && invented == 0 && unacked == 0 && incidents == min(1, presses)
  }

  var description: String {
    "\(presses) presses (\(merged) merged), \(resent) events resent, \(lost) lost,"
      + " \(doubled) doubled, \(invented) false"
  }
}
