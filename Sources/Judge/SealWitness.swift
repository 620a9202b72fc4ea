import FobBase
import WireProtocol

/// Checks that cores believe of paired keychains what these have said, once, and nothing else.
struct SealWitness: Sendable {
  private var events: Set<EventIdentity> = []
  /// How often each keychain has said each uptime, and each host has believed it.
  private var said: [[UInt64: Int]]
  private var heard: [[[UInt64: Int]]]

  init(_ rules: Rules) {
    said = Array(repeating: [:], count: rules.keychains)
    heard = Array(repeating: said, count: rules.hosts)
  }

  mutating func said(_ event: EventIdentity) { events.insert(event) }
  mutating func said(_ uptime: UInt64, _ keychain: Int) { said[keychain][uptime, default: 0] += 1 }

  /// A core takes an event as the keychain's own.
  mutating func heard(
    _ event: Event, by host: Int, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard !events.contains(event.identity) else { return }
    violationLog.accuse(
      .unprovedBelieved, at: now,
      "host \(host + 1) believes \(event.identity.text), which no keychain has said")
  }

  /// A core takes a HEARTBEAT as the keychain's own.
  mutating func believed(
    _ uptime: UInt64, of keychain: Int, by host: Int, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    heard[host][keychain][uptime, default: 0] += 1
    guard heard[host][keychain][uptime, default: 0] > said[keychain][uptime, default: 0] else {
      return
    }
    violationLog.accuse(
      .unprovedBelieved, at: now,
      "host \(host + 1) believes HEARTBEAT of keychain \(keychain + 1) at \(uptime) µs once more"
        + " than it was said")
  }
}
