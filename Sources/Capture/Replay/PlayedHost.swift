import FobBase
import WireProtocol

/// Plays the host of a capture: it opens the recorded sessions, and sends what was recorded, with
/// its acks changed to events of the device that is there now, and sealed where it has its key.
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

  private let keys: [DeviceID: PairingKey]
  /// Of the next CHALLENGE.
  private var nonce: UInt64
  /// Of the session that was opened last.
  private var session: UInt64 = 0
  private var seal: HostSeal?
  private(set) var waitsForProof: Instant?
  private(set) var isProved = false
  /// The device that has answered HELLO and said that it is paired.
  private var paired: DeviceID?

  init(_ line: RecordedLine, _ keys: [DeviceID: PairingKey], nonce: UInt64) {
    self.keys = keys
    self.nonce = nonce
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
  mutating func begin() -> [FrameEdit] { firstHello.map { [opened($0)] } ?? [] }

  mutating func heard(
    _ frame: DescribedFrame, body: [UInt8], position: Int64, at now: Instant
  ) -> [FrameEdit] {
    switch frame.name {
    case "HELLO": return challenge(frame, at: now)
    case "PROOF":
      let proof = body.withUnsafeBytes {
        Proof(UnsafeRawBufferPointer(rebasing: $0[FrameEdit.headSize...]))
      }
      if let proof, seal?.take(proof) == true {
        waitsForProof = nil
        isProved = true
      }
      return []
    case "EVENT": return acked(frame, body)
    default:
      // What it says last its clock is known by, which a sealed light must name.
      _ = body.withUnsafeBytes { seal?.takes(body: $0) }
      return []
    }
  }

  mutating func seal(_ body: inout FrameBody, at now: Instant) { seal?.seal(&body) }

  var obstacle: SealObstacle? {
    guard let paired, !isProved else { return nil }
    return keys[paired] == nil ? .noKey(paired) : .otherKey(paired)
  }

  /// A device that has answered HELLO is asked for its proof, where it is known by a key.
  private mutating func challenge(_ frame: DescribedFrame, at now: Instant) -> [FrameEdit] {
    guard frame.number("session_nonce") == session, session != 0,
      let device = frame.number("device_id").map(DeviceID.init(rawValue:))
    else { return [] }
    let isPaired = (frame.number("capabilities") ?? 0) & UInt64(Hello.isPaired) != 0
    paired = isPaired ? device : nil
    guard let key = keys[device], seal == nil else { return [] }
    var new = HostSeal(
      key, of: device, session: UInt32(truncatingIfNeeded: session), nonce: nonce, at: now)
    nonce &+= 1
    let challenge = new.takeChallenge(at: now)
    seal = new
    waitsForProof = now + HostSeal.patience
    return challenge.map { [FrameEdit($0)] } ?? []
  }

  private mutating func opened(_ hello: FrameEdit) -> FrameEdit {
    session = DescribedFrame(body: hello.body, direction: .toDevice).number("session_nonce") ?? 0
    seal = nil
    waitsForProof = nil
    return hello
  }

  private mutating func acked(_ frame: DescribedFrame, _ body: [UInt8]) -> [FrameEdit] {
    guard let kind = frame.number("kind"),
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
    switch frame.name {
    case "HELLO": return opened(FrameEdit(body))
    // Nothing that the device keeps for good is played.
    case "CHALLENGE", "PAIR", "UNPAIR": return nil
    case "EVENT_ACK": break
    default: return FrameEdit(body)
    }
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
