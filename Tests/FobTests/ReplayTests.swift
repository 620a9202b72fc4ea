import Capture
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// `fob replay` with real processes: an emergency is captured, and played to others.
@Suite struct ReplayTests {
  @Test(arguments: [[], ["--fast"]])
  func `an emergency played to a fresh bridge has the same acks and the same states`(
    pace: [String]
  ) throws {
    let emergency = try Emergency()
    let again = try emergency.replay(pace, bridge: [])
    #expect(again.status == 0, "\(again.replay.output)")
    let lines = again.replay.output.split(separator: "\n").map(String.init)
    for words in ["shown sending, sounder", "shown accepted, sounder", "acked \(emergency.press)"] {
      #expect(lines.contains { $0.contains("  same ") && $0.hasSuffix(words) }, "\(lines)")
    }
    #expect(lines.last?.hasPrefix("SAME: the host meant") == true)
    // Not only the link: the core behind it has told the same.
    #expect(again.bridge.output.contains("incident opened by event \(emergency.press)"))
  }

  @Test func `a bridge with another policy is different, and --json says in what`() throws {
    let emergency = try Emergency()
    let again = try emergency.replay(
      ["--fast", "--patience", "1", "--json"], bridge: ["--countdown", "60"])
    #expect(again.status == 1, "\(again.replay.output)")
    let objects = try again.objects()
    func texts(_ verdict: String) -> [String] {
      objects.filter { $0["verdict"] as? String == verdict }.compactMap { $0["text"] as? String }
    }
    #expect(texts("missing") == ["sending, sounder", "accepted, sounder"])
    #expect(texts("new").first?.hasPrefix("countdown") == true)
    #expect(texts("same").contains(emergency.press), "it is acked all the same")
    let verdict = try #require(objects.last { $0["kind"] as? String == "verdict" })
    #expect(verdict["same"] as? Bool == false && verdict["count_missing"] as? Int == 2)
  }

  @Test func `a host that acks nothing is different`() throws {
    let emergency = try Emergency()
    let line = "pty:" + emergency.scratch.path("replay")
    let replay = try RunningFob(
      ["replay", emergency.capture, "--on", line, "--fast", "--patience", "0.2"],
      in: emergency.scratch)
    let quiet = try RunningFob(["monitor", "--device", line, "--hello"], in: emergency.scratch)
    #expect(replay.awaitEnd(within: .seconds(60)) == 1)
    quiet.interrupt()
    #expect(quiet.awaitEnd() == 0)
    #expect(replay.output.contains("missing  acked \(emergency.press)"), "\(replay.output)")
    #expect(replay.output.contains("DIFFERENT: 0 same"))
  }

  @Test func `a host that leaves in the middle ends it early, which is not the same`() throws {
    let emergency = try Emergency()
    var packets = try Self.packets(of: emergency.capture)
    // There is always more to come.
    packets[packets.count - 1].microseconds += 3_600_000_000
    let path = emergency.scratch.path("long.pcapng")
    try Data(Self.file(packets)).write(to: URL(filePath: path))
    let line = "pty:" + emergency.scratch.path("replay")
    let replay = try RunningFob(["replay", path, "--on", line, "--json"], in: emergency.scratch)
    let quiet = try RunningFob(["monitor", "--device", line, "--hello"], in: emergency.scratch)
    try quiet.awaitOutput("HELLO", "TIME_RESP")
    quiet.interrupt()
    #expect(replay.awaitEnd(within: .seconds(60)) == 1)
    #expect(replay.output.contains("the host left"), "\(replay.output)")
    #expect(replay.output.contains(#""same":false"#))
  }

  @Test func `a core that knows the events acks them and opens nothing`() throws {
    let emergency = try Emergency()
    let state = emergency.scratch.path("state")
    emergency.bridge.interrupt()
    #expect(emergency.bridge.awaitEnd() == 0)
    let again = try emergency.replay(["--fast", "--patience", "0.5"], bridge: [], state: state)
    #expect(again.replay.output.contains("same     acked \(emergency.press)"))
    #expect(!again.bridge.output.contains("incident opened"))
  }

  @Test func `a host is played to a keychain that is pressed again`() throws {
    let emergency = try Emergency()
    let scratch = try ScratchDirectory()
    let keychain = try RunningFob(
      ["emulate", "--link", scratch.path("keychain"), "--control", scratch.path("k.sock")],
      in: scratch)
    let talk = try Talk(scratch.path("k.sock"))
    let replay = try RunningFob(
      [
        "replay", emergency.capture, "--as", "host", "--on", "pty:" + scratch.path("keychain"),
        "--fast", "--patience", "20",
      ], in: scratch)
    try talk.must(["do": "wait", "for": "linked"])
    let event = try #require(try talk.must(["do": "press"])["event"] as? String)
    try talk.must(["do": "wait", "for": "acked", "event": event])
    #expect(replay.awaitEnd(within: .seconds(60)) == 0, "\(replay.output)")
    #expect(replay.output.contains("same     event pressed"))
    #expect(replay.output.contains("same     shown accepted, sounder"))
    keychain.interrupt()
  }

  /// An emergency between a keychain and a bridge of protocol 1.0, which knew no seal.
  private static let released =
    Repository.root.path + "/firmware-protocol/captures/emergency-1.0.pcapng"

  @Test func `a keychain of protocol 1.0 has the same acks and states at this core`() throws {
    let scratch = try ScratchDirectory()
    let line = "pty:" + scratch.path("replay")
    let replay = try RunningFob(
      ["replay", Self.released, "--on", line, "--fast", "--patience", "20"], in: scratch)
    let bridge = try RunningFob(
      ["bridge", "--device", line, "--state", scratch.path("state")], in: scratch,
      pin: TwoProcesses.pin)
    #expect(replay.awaitEnd(within: .seconds(60)) == 0, "\(replay.output)")
    #expect(replay.output.contains("same     shown accepted, sounder"))
    bridge.interrupt()
    #expect(bridge.awaitEnd() == 0)
  }

  @Test func `this keychain obeys a host of protocol 1.0 until it is paired`() throws {
    let emergency = try Emergency(isPaired: true)
    let paired = try emergency.standAlone()
    let scratch = try ScratchDirectory()
    let other = try RunningFob(
      ["emulate", "--link", scratch.path("keychain"), "--control", scratch.path("k.sock")],
      in: scratch)
    let ends = [(paired, emergency.scratch), (try Talk(scratch.path("k.sock")), scratch)]
    for (talk, folder) in ends {
      let isPaired = folder.path == emergency.scratch.path
      try talk.must(["do": "powercut", "ms": 1])
      let replay = try RunningFob(
        [
          "replay", Self.released, "--as", "host", "--on", "pty:" + folder.path("keychain"),
          "--fast", "--patience", "3",
        ], in: scratch)
      if !isPaired { try talk.must(["do": "wait", "for": "linked"]) }
      try talk.must(["do": "press"])
      _ = replay.awaitEnd(within: .seconds(60))
      let isObeyed = replay.output.contains("same     shown accepted, sounder")
      #expect(isObeyed == !isPaired, "\(replay.output)")
      #expect(replay.output.contains("same     event pressed"), "a press is heard at any host")
      let shown = try talk.must(["do": "state"])["shown"] as? String
      #expect(!isPaired || shown == "sending", "it claims no more")
    }
    other.interrupt()
  }

  @Test func `a paired keychain is played without its seals, or with --keys sealed anew`() throws {
    let emergency = try Emergency(isPaired: true)
    let bare = try emergency.replay(["--fast"], bridge: [])
    #expect(bare.status == 0, "\(bare.replay.output)")
    #expect(bare.replay.output.contains("without their seals"))
    let keys = emergency.keysPath
    let sealed = try emergency.replay(
      ["--fast", "--keys", keys], bridge: [], state: try emergency.folder("sealed", keys: keys))
    #expect(sealed.status == 0, "\(sealed.replay.output)")
    #expect(!sealed.replay.output.contains("no session was sealed"))
    let alone = try emergency.replay(["--fast", "--keys", keys, "--patience", "1"], bridge: [])
    #expect(alone.status == 1, "\(alone.replay.output)")
    #expect(alone.replay.output.contains("no session was sealed: the host has not asked"))
    #expect(!sealed.bridge.output.contains("not proved"), "\(sealed.bridge.output)")
    let doubted = try emergency.replay(
      ["--fast", "--patience", "1"], bridge: [], state: try emergency.folder("bare", keys: keys))
    #expect(doubted.status == 1, "\(doubted.replay.output)")
    #expect(doubted.bridge.output.contains("not proved"), "\(doubted.bridge.output)")
  }

  @Test func `a paired keychain obeys a host that is played with its key, and no other`() throws {
    let emergency = try Emergency(isPaired: true)
    let talk = try emergency.standAlone()
    let other = emergency.scratch.path("other-keys")
    let words = "fob keys 1\n8000000000000001 0000000000000001 0000000000000002\n"
    try #require(
      FileManager.default.createFile(
        atPath: other, contents: Data(words.utf8), attributes: [.posixPermissions: 0o600]))
    let cases: [(keys: [String], reason: String?)] = [
      (["--keys", emergency.keysPath], nil), ([], "is paired, and obeys its own core alone"),
      (["--keys", other], "has another key than --keys says"),
    ]
    for (keys, reason) in cases {
      // The light of the host before, which it may show for a lease.
      try talk.must(["do": "powercut", "ms": 1])
      let replay = try RunningFob(
        [
          "replay", emergency.capture, "--as", "host", "--on",
          "pty:" + emergency.scratch.path("keychain"), "--fast", "--patience", "3",
        ] + keys, in: emergency.scratch)
      if reason == nil { try talk.must(["do": "wait", "for": "linked"]) }
      try talk.must(["do": "press"])
      let code = replay.awaitEnd(within: .seconds(60))
      let isObeyed = replay.output.contains("same     shown accepted, sounder")
      #expect(isObeyed == (reason == nil), "\(replay.output)")
      let reasons = replay.output.split(separator: "\n").filter {
        $0.contains("no session was sealed")
      }
      #expect(reasons.count == (reason == nil ? 0 : 1), "\(replay.output)")
      if let reason { #expect(reasons.first?.contains(reason) == true && code == 1) }
    }
  }

  @Test func `noise of then costs no frame, and a file that was cut off is played as far`() throws {
    let emergency = try Emergency()
    let packets = try Self.packets(of: emergency.capture)
    var noisy: [CapturedPacket] = []
    for packet in packets {
      noisy.append(packet)
      noisy.append(packet)
      noisy[noisy.count - 1].direction = .toHost
      noisy[noisy.count - 1].bytes = Array("AT\r\n".utf8)
    }
    let path = emergency.scratch.path("noisy.pcapng")
    try Data(Self.file(noisy) + [6, 0, 0]).write(to: URL(filePath: path))
    let again = try emergency.replay(["--fast"], bridge: [], capture: path)
    #expect(again.status == 0, "\(again.replay.output)")
    #expect(again.replay.output.contains("was cut off: 3 bytes"))
  }

  @Test func `a capture without bytes, of others, or damaged is a clear error`() throws {
    let scratch = try ScratchDirectory()
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
      try Data(bytes).write(to: URL(filePath: scratch.path(name)))
      return scratch.path(name)
    }
    let frames = ["one", "two"].map {
      CapturedPacket(device: $0, microseconds: 1, direction: .toHost, bytes: [1, 2, 0])
    }
    let cases: [(arguments: [String], code: Int32, words: String)] = [
      (["/nonexistent.pcapng"], 66, "/nonexistent.pcapng"),
      (["/proc/self/comm"], 74, "no pcapng file"),
      ([try write("empty", Self.file([]))], 74, "no packet"),
      ([try write("two", Self.file(frames))], 74, "--line: one, two"),
      ([scratch.path("two"), "--line", "three"], 74, "no line 'three'"),
      ([scratch.path("two"), "--line", "one"], 74, "no ack, no state"),
      ([scratch.path("two"), "--line", "one", "--as", "host", "--on", "pty:a"], 74, "to play"),
      ([scratch.path("two"), "--as", "host"], 64, "--on"),
      ([scratch.path("two"), "--as", "bridge"], 64, "device"),
      ([scratch.path("two"), "--wait", "0"], 64, "--wait"),
    ]
    for each in cases {
      let fob = try RunningFob(["replay"] + each.arguments, in: scratch, awaitsReady: false)
      #expect(fob.awaitEnd() == each.code, "\(fob.output)")
      #expect(fob.output.contains(each.words), "\(fob.output)")
    }
  }

  @Test func `where nobody comes it says so, and its help says what to take care of`() throws {
    let emergency = try Emergency()
    let scratch = emergency.scratch
    let alone = try RunningFob(
      ["replay", emergency.capture, "--on", "unix:" + scratch.path("r.sock"), "--wait", "0.3"],
      in: scratch)
    #expect(alone.awaitEnd() == 75)
    #expect(alone.output.contains("fob bridge --device unix:"), "\(alone.output)")
    let nothing = try RunningFob(
      [
        "replay", emergency.capture, "--as", "host", "--on", "pty:" + scratch.path("none"),
        "--wait", "0.3",
      ], in: scratch)
    #expect(nothing.awaitEnd() == 75)
    #expect(nothing.output.contains("No such file"), "\(nothing.output)")
    let help = try RunningFob(["replay", "--help"], in: scratch, awaitsReady: false)
    #expect(help.awaitEnd() == 0)
    #expect(help.output.contains("empty state folder"))
  }

  private static func file(_ packets: [CapturedPacket]) -> [UInt8] {
    var writer = PcapngWriter()
    return packets.reduce(writer.begin(application: "fob test")) {
      $0 + (writer.append($1) ?? [])
    }
  }

  private static func packets(of path: String) throws -> [CapturedPacket] {
    var reader = PcapngReader()
    reader.append([UInt8](try Data(contentsOf: URL(filePath: path))))
    var packets: [CapturedPacket] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }
}

/// A press at a bridge, captured from before it until it was accepted and the button was up.
private final class Emergency {
  private let two: TwoProcesses
  let capture: String
  /// The number of the press.
  let press: String

  struct Again {
    let replay: RunningFob
    let bridge: RunningFob
    let status: Int32?

    func objects() throws -> [[String: Any]] {
      try replay.output.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
  }

  var scratch: ScratchDirectory { two.scratch }
  var bridge: RunningFob { two.bridge }

  /// - Parameter isPaired: the keychain is paired after its second boot, in which it is pressed.
  init(isPaired: Bool = false) throws {
    two = try TwoProcesses()
    if isPaired { try two.pair() }
    capture = two.scratch.path("emergency.pcapng")
    let monitor = try RunningFob(
      ["monitor", "--socket", two.scratch.path("bridge.sock"), "--write", capture],
      in: two.scratch)
    press = try two.press()
    try two.awaitAck(press)
    try monitor.awaitOutput("released", "accepted")
    let boot = press.prefix(2)
    let release = try #require(
      monitor.output.split(separator: "\n").first { $0.contains("released") }
        .flatMap { $0.split(separator: " ").first { $0.hasPrefix(boot) && $0.hasSuffix(",") } })
    try two.awaitAck(String(release.dropLast()))
    try monitor.awaitOutput("EVENT_ACK")
    // Until the capture has the last ack as well: an ack is heard where it is sent.
    try monitor.awaitOutput("\(release.dropLast())\n")
    monitor.interrupt()
    try #require(monitor.awaitEnd() == 0)
  }

  var keysPath: String { two.keysPath }

  /// A state folder with nothing but these keys.
  func folder(_ name: String, keys: String) throws -> String {
    let path = scratch.path(name)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try FileManager.default.copyItem(atPath: keys, toPath: path + "/keys")
    return path
  }

  /// The keychain, rid of its core.
  func standAlone() throws -> Talk {
    two.bridge.interrupt()
    try #require(two.bridge.awaitEnd() == 0)
    return two.toKeychain
  }

  func replay(
    _ options: [String], bridge bridgeOptions: [String], state: String? = nil,
    capture other: String? = nil
  ) throws -> Again {
    let folder = try ScratchDirectory()
    let line = "pty:" + scratch.path("replay")
    let replay = try RunningFob(
      ["replay", other ?? capture, "--on", line] + options, in: scratch)
    let bridge = try RunningFob(
      [
        "bridge", "--device", line, "--state", state ?? folder.path("state"), "--control",
        folder.path("bridge.sock"), "--log", folder.path("alerts"),
      ] + bridgeOptions, in: folder, pin: TwoProcesses.pin)
    let status = replay.awaitEnd(within: .seconds(60))
    bridge.interrupt()
    _ = bridge.awaitEnd()
    return Again(replay: replay, bridge: bridge, status: status)
  }
}
