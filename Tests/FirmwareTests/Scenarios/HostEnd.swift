import FobBase
import WireProtocol

/// The host as the end under test: the link itself, and the plainest core that keeps the rules of
/// acks.
final class HostEnd: ScenarioEnd {
  private enum Commits { case ok, held, failing }
  private struct Pending {
    var identity: EventIdentity
    var isWhole: Bool
    /// When a failed commit is tried again; nil while one is under way.
    var retry: Int64?
  }

  private var link: HostLink?
  private var session: UInt32 = 0x5E55_1001
  private var commits = Commits.ok
  private var pending: [Pending] = []
  private var committed: Set<EventIdentity> = []
  private var delivered: [(identity: EventIdentity, isWhole: Bool)] = []
  private var now: Int64 = 0
  private var sent: [[UInt8]] = []
  private(set) var wire: [UInt8] = []

  private var instant: Instant { .milliseconds(now) }

  func run(until ms: Int64) {
    while now < ms {
      work()
      var wake = ms
      if let next = link?.nextWake.microseconds { wake = min(wake, (next + 999) / 1_000) }
      for retry in pending.compactMap(\.retry) { wake = min(wake, retry) }
      now = max(now + 1, wake)
    }
    work()
  }

  func perform(_ step: ScenarioStep) {
    switch (step.action, step.state) {
    case ("open", _): open()
    case ("restart", _):
      pending = []
      open()
    case ("commits", "ok"):
      commits = .ok
      for entry in pending where entry.retry == nil { commit(entry.identity) }
    case ("commits", "held"): commits = .held
    case ("commits", "failing"): commits = .failing
    default: preconditionFailure("a host does no \(step.action ?? "nothing")")
    }
  }

  func receive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let report = link?.next(&rest, at: instant) {
        switch report {
        case .event(let record): take(record.identity, isWhole: true)
        case .barePress(let identity): take(identity, isWhole: false)
        case .refused(let reject): send(reject)
        default: break
        }
      }
    }
  }

  func takeSent() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }

  func takeDelivered() -> [(identity: EventIdentity, isWhole: Bool)] {
    defer { delivered = [] }
    return delivered
  }

  private func open() {
    session += 1
    wire = []
    link = HostLink(
      session: session, software: SoftwareVersion(major: 0, minor: 1, patch: 0), at: instant)
  }

  private func work() {
    for entry in pending where entry.retry.map({ $0 <= now }) ?? false { commit(entry.identity) }
    while let frame = link?.nextFrame(at: instant) { keep(frame) }
  }

  private func take(_ identity: EventIdentity, isWhole: Bool) {
    if committed.contains(identity) {
      send(EventAck(identity))
    } else if let known = pending.first(where: { $0.identity == identity }) {
      if known.retry != nil { commit(identity) }
    } else {
      pending.append(Pending(identity: identity, isWhole: isWhole))
      commit(identity)
    }
  }

  private func commit(_ identity: EventIdentity) {
    guard let place = pending.firstIndex(where: { $0.identity == identity }) else { return }
    switch commits {
    case .held: pending[place].retry = nil
    case .failing: pending[place].retry = now + 1_000
    case .ok:
      delivered.append((identity, pending.remove(at: place).isWhole))
      committed.insert(identity)
      send(EventAck(identity))
    }
  }

  private func send<P: Payload>(_ payload: P) {
    if let frame = link?.frame(payload, at: instant) { keep(frame) }
  }

  private func keep(_ frame: WireFrame) {
    let bytes = frame.withBytes { Array($0) }
    wire += bytes
    bytes.withUnsafeBytes { raw in
      var rest = raw
      var decoder = FrameDecoder()
      while decoder.next(&rest) != nil { sent.append(decoder.withBody { Array($0) }) }
    }
  }
}
