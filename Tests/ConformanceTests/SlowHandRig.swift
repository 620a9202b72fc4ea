import Emulator
import FobBase

@testable import Conformance

/// A device whose button and reset are far away: what is to be done is done late, and said to be
/// done later still, while the device goes on talking. What it says meanwhile waits to be read, as
/// on any line.
final class SlowHandRig: Rig {
  private let rig = MemoryRig()
  private var waiting: [Arrival] = []
  private let before: Interval
  private let after: Interval

  init(before: Interval, after: Interval) {
    self.before = before
    self.after = after
  }

  var name: String { rig.name }
  let isVirtual = true
  var slack: Interval { rig.slack }
  var clockSlack: Interval { rig.clockSlack }
  var now: Instant { rig.now }
  var wallOffset: Int64 { rig.wallOffset }

  /// What a command or a person can do, and no more.
  func obstacle(to ability: Ability) -> String? {
    [.button, .reset, .powerCut].contains(ability) ? nil : "it is far away"
  }

  func begin(seed: UInt64) {
    rig.begin(seed: seed)
    waiting = []
  }

  func send(_ bytes: [UInt8]) { rig.send(bytes) }

  func receive(until deadline: Instant) throws -> Arrival? {
    waiting.isEmpty ? try rig.receive(until: deadline) : waiting.removeFirst()
  }

  func perform(_ actuation: Actuation) throws {
    try pass(before)
    rig.perform(actuation)
    try pass(after)
  }

  func watchLight() { rig.watchLight() }
  func takeLight() -> [LightEdge] { rig.takeLight() }

  private func pass(_ interval: Interval) throws {
    let end = rig.now + interval
    while let arrival = try rig.receive(until: end) { waiting.append(arrival) }
  }
}
