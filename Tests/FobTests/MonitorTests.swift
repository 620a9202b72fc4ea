// Beside Console, the compiler looks for the fields of stat(2) in Dispatch's headers.
import CDispatch
import Capture
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

/// `fob monitor` with real processes.
@Suite struct MonitorTests {
  @Test func `it hears a press and its ack at the bridge, and ends by Ctrl-C with statistics`()
    throws
  {
    let two = try TwoProcesses()
    let monitor = try RunningFob(
      ["monitor", "--socket", two.scratch.path("bridge.sock")], in: two.scratch)
    let event = try two.press()
    try two.awaitAck(event)
    try Self.await(monitor, "EVENT_ACK")
    monitor.interrupt()
    #expect(monitor.awaitEnd() == 0)
    let lines = monitor.output.split(separator: "\n").map(String.init)
    let press = lines.first { $0.contains("D→H  EVENT ") && $0.contains("pressed") }
    #expect(press?.contains("\(event), pressed, 87 %") == true, "\(monitor.output)")
    #expect(lines.contains { $0.contains("H→D  EVENT_ACK") && $0.hasSuffix(event) })
    #expect(lines.contains { $0.hasPrefix("EVENT_ACK ") })
    // Of each direction the frame in whose middle it began to listen, if any.
    let damaged = lines.first { $0.hasPrefix("damaged ") }?.split(separator: " ").dropFirst()
    #expect(damaged?.allSatisfy { $0 == "0" || $0 == "1" } == true, "\(monitor.output)")
    #expect(!monitor.output.contains("\u{1B}"), "no colour without a terminal")
    #expect(lines.last?.hasPrefix("in ") == true)
  }

  @Test func `with --keys it says of each tag whether it is right`() throws {
    let two = try TwoProcesses()
    try two.pair()
    let wrong = two.scratch.path("wrong")
    let line = "8000000000000001 1111111111111111 2222222222222222"
    try Data("fob keys 1\n\(line)\n".utf8).write(to: URL(filePath: wrong))
    try #require(chmod(wrong, 0o600) == 0)
    let monitors = try [two.keysPath, wrong].map { keys in
      try RunningFob(
        ["monitor", "--socket", two.scratch.path("bridge.sock"), "--keys", keys], in: two.scratch)
    }
    // A session that they hear from its beginning.
    try two.toKeychain.must(["do": "unplug"])
    try two.toKeychain.must(["do": "replug"])
    try two.toKeychain.must(["do": "wait", "for": "linked"])
    try two.awaitShown("idle")
    let event = try two.press()
    try two.awaitAck(event)
    try monitors[0].awaitOutput("✓ \(event)\n", "✓ sending, sounder", "✓ \(event), pressed")
    try monitors[1].awaitOutput("✗ \(event), pressed", "? \(event)\n")
    for monitor in monitors {
      monitor.interrupt()
      #expect(monitor.awaitEnd() == 0)
    }
    #expect(!monitors[0].output.contains("✗"), "\(monitors[0].output)")
    #expect(!monitors[1].output.contains("✓"), "\(monitors[1].output)")
  }

  @Test func `with --json every line is an object, with every field by its name`() throws {
    let two = try TwoProcesses()
    let monitor = try RunningFob(
      [
        "monitor", "--socket", two.scratch.path("keychain.sock"), "--json", "--filter",
        "event,LED_STATE",
      ], in: two.scratch)
    let event = try two.press()
    try two.awaitAck(event)
    try Self.await(monitor, #""type":"EVENT""#)
    monitor.interrupt()
    #expect(monitor.awaitEnd() == 0)
    let objects = try monitor.output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    let types = Set(objects.compactMap { $0["type"] as? String })
    #expect(types.isSubset(of: ["EVENT", "LED_STATE"]) && types.contains("EVENT"))
    let press = try #require(objects.first { $0["type"] as? String == "EVENT" })
    #expect(press["device"] as? String == "8000000000000001")
    #expect(press["to"] as? String == "host" && press["crc_ok"] as? Bool == true)
    let fields = try #require(press["fields"] as? [String: [String: Any]])
    #expect(fields.count == 16)
    #expect(fields["event_no"]?["text"] as? String == event)
    #expect(fields["kind"]?["raw"] as? Int == 1)
    #expect(objects.last?["kind"] as? String == "statistics")
  }

  @Test func `with --device it acks nothing and sends nothing, with --hello no more than HELLO`()
    throws
  {
    let scratch = try ScratchDirectory()
    let keychain = try RunningFob(
      ["emulate", "--link", scratch.path("keychain"), "--control", scratch.path("k.sock")],
      in: scratch)
    let talk = try Talk(scratch.path("k.sock"))
    let device = ["--device", "pty:" + scratch.path("keychain"), "--json"]
    let silent = try RunningFob(["monitor"] + device, in: scratch)
    try Self.await(silent, "is open")
    let event = try #require(try talk.must(["do": "press"])["event"] as? String)
    try Self.await(silent, #""text":"\#(event)""#)
    silent.interrupt()
    #expect(silent.awaitEnd() == 0)
    #expect(!silent.output.contains(#""to":"device""#))
    #expect(try talk.must(["do": "state"])["linked"] as? Bool == false)

    let asking = try RunningFob(["monitor", "--hello"] + device, in: scratch)
    try talk.must(["do": "wait", "for": "linked"])
    try Self.await(asking, "TIME_RESP")
    try Self.await(asking, #""text":"\#(event)""#)
    asking.interrupt()
    #expect(asking.awaitEnd() == 0)
    let said = asking.output.split(separator: "\n").filter { $0.contains(#""to":"device""#) }
    #expect(said.count >= 2)
    #expect(
      said.allSatisfy {
        $0.contains(#""type":"HELLO""#) || $0.contains(#""type":"TIME_REQ""#)
      })
    let unacked = try talk.must(["do": "state"])["unacked"] as? Int
    #expect(unacked ?? 0 >= 2, "the boot, the press: all of it stays with the keychain")
    keychain.interrupt()
  }

  @Test func `a capture is readable after kill -9 and when cut off, and reads as it was shown`()
    throws
  {
    let two = try TwoProcesses()
    let path = two.scratch.path("capture.pcapng")
    let monitor = try RunningFob(
      ["monitor", "--socket", two.scratch.path("bridge.sock"), "--write", path], in: two.scratch)
    let event = try two.press()
    try two.awaitAck(event)
    try Self.await(monitor, "EVENT_ACK")
    monitor.kill9()
    #expect(try Self.mode(of: path) == 0o600)

    var reader = PcapngReader()
    reader.append([UInt8](try Data(contentsOf: URL(filePath: path))))
    var packets: [CapturedPacket] = []
    while let packet = try reader.next() { packets.append(packet) }
    #expect(reader.unfinishedBytes == 0)
    #expect(Set(packets.map(\.device)) == ["pty:" + two.scratch.path("keychain")])
    let age = WallClock.now() - (packets.last?.microseconds ?? 0)
    #expect((0...60_000_000).contains(age), "its time is the wall clock's")

    let read = try RunningFob(
      ["monitor", "--read", path, "--raw"], in: two.scratch, awaitsReady: false)
    #expect(read.awaitEnd() == 0)
    let raw = read.output.split(separator: "\n").map { $0.drop { $0 == " " } }
    for packet in packets {
      #expect(raw.contains { $0 == Hex.text(packet.bytes) }, "a packet was not shown")
    }
    let cut = two.scratch.path("cut.pcapng")
    try Data(contentsOf: URL(filePath: path)).dropLast(5).write(to: URL(filePath: cut))
    let readCut = try RunningFob(["monitor", "--read", cut], in: two.scratch, awaitsReady: false)
    #expect(readCut.awaitEnd() == 0)
    #expect(readCut.output.contains("was cut off") && readCut.output.contains("EVENT "))
    let shown = monitor.output.split(separator: "\n").filter { $0.contains("EVENT_ACK") }
    #expect(!shown.isEmpty && shown.allSatisfy { line in read.output.contains(line.suffix(20)) })
  }

  @Test func `damage on the line is shown, counted, and kept in the capture with its reason`()
    throws
  {
    let scratch = try ScratchDirectory()
    let terminal = try PseudoTerminal()
    let path = scratch.path("capture.pcapng")
    let monitor = try RunningFob(
      ["monitor", "--device", "pty:" + terminal.slavePath, "--write", path], in: scratch)
    #expect(try terminal.awaitOpening(until: BootClock.now() + .seconds(10)))
    try Self.await(monitor, "is open")
    let frame = WireFrame(
      FrameBody(TimeRequest(hostSend: 1, session: 2), sequence: 0), afterSilence: true)
    var stream: [UInt8] = Array("AT\r\n".utf8)
    for _ in 0..<2 { stream += frame.withBytes { Array($0) } }
    stream[stream.count - 3] ^= 1
    let written = try stream.withUnsafeBytes { try terminal.master.write($0) }
    #expect(written == stream.count)
    try Self.await(monitor, "wrong CRC")
    monitor.interrupt()
    #expect(monitor.awaitEnd() == 0)
    #expect(monitor.output.contains("COBS does not come out"))
    #expect(monitor.output.contains("TIME_REQ"))
    var reader = PcapngReader()
    reader.append([UInt8](try Data(contentsOf: URL(filePath: path))))
    var comments: [String?] = []
    while let packet = try reader.next() { comments.append(packet.comment) }
    #expect(comments.count == 3)
    #expect(comments[0]?.hasPrefix("COBS") == true && comments[1] == nil)
    #expect(comments[2] == "wrong CRC")
  }

  @Test(arguments: ["monitor", "devices"])
  func `it has a help`(command: String) throws {
    let fob = try RunningFob([command, "--help"], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    #expect(fob.output.contains("OVERVIEW:") && fob.output.contains("USAGE: fob"))
  }

  @Test func `--seconds ends it by itself, with the statistics`() throws {
    let scratch = try ScratchDirectory()
    let terminal = try PseudoTerminal()
    let began = BootClock.now()
    let monitor = try RunningFob(
      ["monitor", "--device", "pty:" + terminal.slavePath, "--seconds", "0.5"], in: scratch)
    #expect(monitor.awaitEnd() == 0)
    #expect(BootClock.now() - began >= .milliseconds(500))
    #expect(monitor.output.contains("all frames"))
  }

  @Test(arguments: [
    (["monitor"], 69, "--device"), (["monitor", "--hello"], 64, "--device"),
    (["monitor", "--filter", "EVENTS"], 64, "EVENT_ACK"),
    (["monitor", "--read", "/nonexistent.pcapng"], 66, "/nonexistent.pcapng"),
    (["monitor", "--read", "/proc/self/comm"], 74, "no pcapng file"),
    (["monitor", "--read", "a", "--write", "b"], 64, "--read"),
    (["monitor", "--socket", "a", "--device", "pty:b"], 64, "one of"),
    (["monitor", "--seconds", "0"], 64, "--seconds"),
    (
      ["monitor", "--write", "/nonexistent/a", "--device", "pty:/nonexistent"], 66, "/nonexistent/a"
    ),
  ])
  func `an error says what is wrong and how to fix it`(
    arguments: [String], code: Int32, words: String
  ) throws {
    let fob = try RunningFob(arguments, in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == code, "\(fob.output)")
    #expect(fob.output.contains(words), "\(fob.output)")
  }

  /// Until the output has this.
  private static func await(
    _ fob: RunningFob, _ words: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = BootClock.now() + .seconds(20)
    while !fob.output.contains(words) {
      try #require(
        BootClock.now() < deadline, "no '\(words)' in:\n\(fob.output)", sourceLocation: location)
      usleep(2_000)
    }
  }

  private static func mode(of path: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return UInt32(status.st_mode) & 0o777
  }
}
