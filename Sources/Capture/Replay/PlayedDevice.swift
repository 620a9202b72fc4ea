import FobBase
import WireProtocol

/// Plays the device of a capture: it answers HELLO and TIME_REQ of the host that is there now, and
/// sends everything else as it was recorded, sealed anew where it has the device's key.
struct PlayedDevice: PlayedEnd {
  /// The device's HELLO, nonce and clock from a position in the capture on.
  private struct Boot {
    let at: Int64
    var hello: FrameEdit
    /// Of its device, if there is one.
    var key: PairingKey?
    let nonce: UInt64
    /// Device clock minus position in the capture, in microseconds. The least value seen is kept,
    /// so that no stamp sent is ahead of a heartbeat's.
    var clockOffset: Int64?

    /// The device's clock, µs.
    func clock(at position: Int64) -> UInt64 { UInt64(max(0, (clockOffset ?? 0) &+ position)) }
  }

  private var boots: [Boot]
  private var session: UInt64?
  private let keys: [DeviceID: PairingKey]
  private var seal = DeviceSeal()

  init(_ line: RecordedLine, _ keys: [DeviceID: PairingKey]) {
    self.keys = keys
    let described = line.runs.lazy.filter { $0.direction == .toHost }.compactMap { run in
      run.frame.map { (run.at, $0, run.body ?? []) }
    }
    boots = []
    for (at, frame, body) in described {
      if frame.name == "HELLO", frame.number("role") == 0, let nonce = frame.number("boot_nonce") {
        if let last = boots.last, last.nonce == nonce || boots.count == Self.maxBoots { continue }
        boots.append(Boot(at: at, hello: FrameEdit(body), nonce: nonce))
      }
    }
    if boots.isEmpty || boots[0].at > 0 {
      boots.insert(
        Self.firstBoot(described.map { ($0.1, $0.2) }, before: boots.first?.hello), at: 0)
    }
    for index in boots.indices { boots[index].key = Self.ready(&boots[index].hello, keys) }
    for (at, frame, _) in described {
      let clock = frame.number("uptime") ?? frame.number("device_send")
      guard let clock, clock <= UInt64(Int64.max) else { continue }
      let index = boot(at: at)
      let offset = Int64(clock) &- at
      boots[index].clockOffset = min(boots[index].clockOffset ?? offset, offset)
    }
  }

  private static let maxBoots = 10_000

  /// For a capture that began after HELLO: builds the HELLO that fits its events.
  private static func firstBoot(
    _ described: [(DescribedFrame, [UInt8])], before known: FrameEdit?
  ) -> Boot {
    let frames = described.map(\.0)
    var hello = known ?? FrameEdit(.hello)
    // An event of an earlier boot has the flag REPLAYED (2).
    let told =
      frames.first { $0.name == "TIME_RESP" }
      ?? frames.first { $0.name == "EVENT" && $0.number("flags").map { $0 & 2 } == 0 }
    let nonce = told?.number("boot_nonce") ?? 1
    if known == nil {
      let device = frames.first { $0.name == "EVENT" }?.number("device_id")
      let number = frames.first { $0.name == "EVENT" && $0.number("boot_nonce") == nonce }?
        .number("event_no")
      hello.set("version_min", 1)
      hello.set("version_max", 1)
      hello.set("max_frame", 255)
      hello.set("device_id", device ?? DeviceID.bench(1).rawValue)
      hello.set("boot_counter", number.map { $0 >> 32 } ?? 1)
    }
    hello.set("boot_nonce", nonce)
    return Boot(at: 0, hello: hello, nonce: nonce)
  }

  var isReady: Bool { session != nil }

  mutating func begin() -> [FrameEdit] { [] }

  mutating func heard(
    _ frame: DescribedFrame, body: [UInt8], position: Int64, at now: Instant
  ) -> [FrameEdit] {
    let boot = boots[boot(at: position)]
    switch frame.name {
    case "HELLO":
      guard frame.number("role") == 1, let asked = frame.number("session_nonce") else { return [] }
      session = asked
      var hello = boot.hello
      hello.set("session_nonce", asked)
      seal.unpair()
      if let key = boot.key { seal.pair(key) }
      return [hello]
    case "CHALLENGE": return prove(body, boot, position: position)
    case "TIME_REQ":
      let clock = boot.clock(at: position)
      var response = FrameEdit(.timeResponse)
      response.set("host_send", frame.number("host_send") ?? 0)
      response.set("device_receive", clock)
      response.set("device_send", clock)
      response.set("boot_nonce", boot.nonce)
      response.set("session_nonce", frame.number("session_nonce") ?? 0)
      return [response]
    default:
      if body.withUnsafeBytes({ seal.takes(body: $0) }) { isProved = true }
      return []
    }
  }

  mutating func seal(_ body: inout FrameBody, at now: Instant) { seal.seal(&body, at: now) }

  var waitsForProof: Instant? { nil }
  private(set) var isProved = false
  var obstacle: SealObstacle? { nil }

  private mutating func prove(_ body: [UInt8], _ boot: Boot, position: Int64) -> [FrameEdit] {
    let asked = body.withUnsafeBytes {
      Challenge(UnsafeRawBufferPointer(rebasing: $0[FrameEdit.headSize...]))
    }
    let hello = DescribedFrame(body: boot.hello.body, direction: .toHost)
    guard let asked, let device = hello.number("device_id"),
      let counter = hello.number("boot_counter")
    else { return [] }
    var proof = Proof(
      session: asked.session, bootCounter: UInt32(truncatingIfNeeded: counter),
      bootNonce: UInt32(truncatingIfNeeded: boot.nonce), number: 0,
      clock: UInt32(truncatingIfNeeded: boot.clock(at: position) >> 10), tag: 0)
    return seal.prove(asked, device: DeviceID(rawValue: device), &proof) ? [FrameEdit(proof)] : []
  }

  mutating func adapted(_ frame: DescribedFrame, body: [UInt8]) -> FrameEdit? {
    var edit = FrameEdit(body)
    switch frame.name {
    case "TIME_RESP", "PROOF", "PAIR_RESULT": return nil
    case "HELLO":
      // An answer belongs to a recorded session; an unasked HELLO, as after a boot, is sent.
      if frame.number("session_nonce") != 0 { return nil }
      _ = Self.ready(&edit, keys)
    case "EVENT": Self.keepOnBench(&edit)
    case "LED_STATE":
      if frame.number("session_nonce") != 0 { edit.set("session_nonce", session ?? 0) }
    default: break
    }
    return edit
  }

  /// Makes a HELLO one of this run: it says that it is sealed if it is.
  /// - Returns: the device's key.
  private static func ready(
    _ hello: inout FrameEdit, _ keys: [DeviceID: PairingKey]
  ) -> PairingKey? {
    keepOnBench(&hello)
    let frame = DescribedFrame(body: hello.body, direction: .toHost)
    let key = frame.number("device_id").flatMap { keys[DeviceID(rawValue: $0)] }
    let seals = UInt64(Hello.seals | Hello.isPaired)
    let others = (frame.number("capabilities") ?? 0) & ~seals
    hello.set("capabilities", key == nil ? others : others | seals)
    return key
  }

  /// Sets the bench bit of the device id. A core with real notification channels takes no bench
  /// device, so an alarm that is over pages nobody.
  private static func keepOnBench(_ edit: inout FrameEdit) {
    let frame = DescribedFrame(body: edit.body, direction: .toHost)
    guard let number = frame.number("device_id") else { return }
    let device = DeviceID(rawValue: number)
    if !device.isBench {
      edit.set("device_id", number | DeviceID.bench(0).rawValue)
    }
  }

  private func boot(at position: Int64) -> Int {
    (boots.lastIndex { $0.at <= position }) ?? 0
  }
}
