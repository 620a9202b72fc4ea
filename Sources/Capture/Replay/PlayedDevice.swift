import FobBase
import WireProtocol

/// Plays the device of a capture: it answers HELLO and TIME_REQ of the host that is there now, and
/// sends everything else as it was recorded.
struct PlayedDevice: PlayedEnd {
  /// The device's HELLO, nonce and clock from a position in the capture on.
  private struct Boot {
    let at: Int64
    var hello: FrameEdit
    var nonce: UInt64
    /// Device clock minus position in the capture, in microseconds. The least value seen is kept,
    /// so that no stamp sent is ahead of a heartbeat's.
    var clockOffset: Int64?
  }

  private var boots: [Boot]
  private var session: UInt64?

  init(_ line: RecordedLine) {
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
    _ frame: DescribedFrame, body: [UInt8], position: Int64
  ) -> [FrameEdit] {
    switch frame.name {
    case "HELLO":
      guard frame.number("role") == 1, let asked = frame.number("session_nonce") else { return [] }
      session = asked
      var hello = boots[boot(at: position)].hello
      hello.set("session_nonce", asked)
      Self.keepOnBench(&hello)
      return [hello]
    case "TIME_REQ":
      let boot = boots[boot(at: position)]
      let clock = UInt64(max(0, (boot.clockOffset ?? 0) &+ position))
      var response = FrameEdit(.timeResponse)
      response.set("host_send", frame.number("host_send") ?? 0)
      response.set("device_receive", clock)
      response.set("device_send", clock)
      response.set("boot_nonce", boot.nonce)
      response.set("session_nonce", frame.number("session_nonce") ?? 0)
      return [response]
    default: return []
    }
  }

  mutating func adapted(_ frame: DescribedFrame, body: [UInt8]) -> FrameEdit? {
    var edit = FrameEdit(body)
    switch frame.name {
    case "TIME_RESP": return nil
    case "HELLO":
      // An answer belongs to a recorded session; an unasked HELLO, as after a boot, is sent.
      if frame.number("session_nonce") != 0 { return nil }
      Self.keepOnBench(&edit)
    case "EVENT": Self.keepOnBench(&edit)
    case "LED_STATE":
      if frame.number("session_nonce") != 0 { edit.set("session_nonce", session ?? 0) }
    default: break
    }
    return edit
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
