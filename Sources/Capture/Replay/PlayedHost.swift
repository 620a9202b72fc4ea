import WireProtocol

/// Plays the host of a capture: it opens the recorded sessions, and sends what was recorded, with
/// its acks changed to events of the device that is there now.
///
/// A recorded ack names an event that this device never had. It is sent for the next event of the
/// same kind, and waits until there is one.
struct PlayedHost: PlayedEnd {
  private struct Heard {
    let kind: UInt64
    let number: UInt64
    let check: UInt64
  }

  /// Kinds of the capture's events, by their numbers.
  private var kinds: [UInt64: UInt64] = [:]
  private let firstHello: FrameEdit?
  /// `unacked`: events of this device that no ack was sent for. `owed`: kinds of acks that wait for
  /// an event. Both are in order.
  private var unacked: [Heard] = []
  private var owed: [UInt64] = []
  private var seen: Set<[UInt8]> = []
  private var acked: Set<UInt64> = []

  init(_ line: RecordedLine) {
    var first: FrameEdit?
    var isOpen = false
    for run in line.runs {
      guard let frame = run.frame else { continue }
      if run.direction == .toHost, frame.name == "EVENT" {
        if let number = frame.number("event_no") { kinds[number] = frame.number("kind") }
      } else if run.direction == .toDevice, !isOpen {
        guard let session = frame.number("session_nonce") else { continue }
        isOpen = true
        if frame.name != "HELLO" { first = Self.hello(session) }
      }
    }
    firstHello = first
  }

  var isReady: Bool { true }

  /// For a capture that began within a session: opens that session, as a device obeys no other
  /// host.
  mutating func begin() -> [FrameEdit] { firstHello.map { [$0] } ?? [] }

  mutating func heard(
    _ frame: DescribedFrame, body: [UInt8], position: Int64
  ) -> [FrameEdit] {
    guard frame.name == "EVENT", let kind = frame.number("kind"),
      let number = frame.number("event_no"), let identity = EventCheck.identity(body),
      seen.insert(identity).inserted
    else { return [] }
    let heard = Heard(kind: kind, number: number, check: EventCheck.of(identity))
    if let index = owed.firstIndex(of: kind) {
      owed.remove(at: index)
      return [Self.ack(heard)]
    }
    unacked.append(heard)
    return []
  }

  mutating func adapted(_ frame: DescribedFrame, body: [UInt8]) -> FrameEdit? {
    guard frame.name == "EVENT_ACK" else { return FrameEdit(body) }
    // The recorded host acked duplicates again; here one ack for each event is enough.
    guard let number = frame.number("event_no"), let kind = kinds[number],
      acked.insert(number).inserted
    else { return nil }
    guard let index = unacked.firstIndex(where: { $0.kind == kind }) else {
      owed.append(kind)
      return nil
    }
    return Self.ack(unacked.remove(at: index))
  }

  private static func ack(_ event: Heard) -> FrameEdit {
    var ack = FrameEdit(.eventAck)
    ack.set("event_no", event.number)
    ack.set("identity_crc", event.check)
    return ack
  }

  private static func hello(_ session: UInt64) -> FrameEdit {
    var hello = FrameEdit(.hello)
    hello.set("role", 1)
    hello.set("version_min", 1)
    hello.set("version_max", 1)
    hello.set("max_frame", 255)
    hello.set("session_nonce", session)
    return hello
  }
}
