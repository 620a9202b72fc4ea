import Capture
import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import fob

/// `firmware-protocol/wireshark/fob.lua` against the vectors; and its reader, which is by hand as
/// that of Capture is, against the latter where frames are short, long, damaged or garbage.
@Suite(.enabled(if: Tshark.isThere, "NOT RUN: tshark is not installed"))
struct DissectorTests {
  @Test func `tshark shows every field of a captured emergency`() throws {
    let two = try TwoProcesses()
    let path = two.scratch.path("emergency.pcapng")
    let monitor = try RunningFob(
      ["monitor", "--socket", two.scratch.path("bridge.sock"), "--write", path], in: two.scratch)
    let event = try two.press()
    try two.awaitAck(event)
    try two.toKeychain.must(["do": "battery", "percent": 4])
    try monitor.awaitOutput(
      "accepted", "HEARTBEAT", "GPS_FIX", "BATTERY", "entries", "released", "battery critical")
    try two.toBridge.must(["do": "disarm", "pin": TwoProcesses.pin])
    try monitor.awaitOutput("ended")
    monitor.interrupt()
    #expect(monitor.awaitEnd() == 0)
    var packets = try Self.packets(of: path)
    let shown = Set(packets.compactMap { Self.described($0).first?.typeName })
    #expect(shown.isSuperset(of: ["EVENT", "EVENT_ACK", "INDICATE", "LED_STATE", "TRACE"]))
    // A bridge says some messages only when it is asked: of those, the vectors.
    packets += try Self.vectors()
    try Self.expectFields(of: packets)
    try Self.expectLines(of: packets)
  }

  @Test func `the names of a capture's fields are those of messages json`() throws {
    let names = try MessageTable.load().messages.flatMap { message in
      (message.fields + (message.tail?.fields ?? [])).map {
        "fob.\(message.name.lowercased()).\($0.name)"
      }
    }
    #expect(names.count > 70)
    // tshark refuses a name that it does not know.
    #expect(try Tshark.run(["-T", "fields"] + names.flatMap { ["-e", $0] }, on: []) == [])
    #expect(throws: (any Error).self) {
      try Tshark.run(["-T", "fields", "-e", "fob.event.colour"], on: [])
    }
  }

  @Test func `every vector shows its fields, their values and its line`() throws {
    let table = try MessageTable.load()
    let vectors = try FrameVectors.load().messages
    let packets = try Self.vectors()
    let shown = try Tshark.fields(of: packets)
    let lines = try Tshark.run(["-T", "fields", "-e", "_ws.col.Info"], on: packets)
    #expect(shown.count == vectors.count && lines.count == vectors.count)
    for (index, vector) in vectors.enumerated() {
      let message = try #require(table.messages.first { $0.name == vector.type })
      let prefix = "fob.\(vector.type.lowercased())."
      let read = shown[index].filter {
        $0.name.hasPrefix(prefix) && !Self.isBit($0.name, of: prefix)
      }
      let wanted = vector.values(of: message)
      let texts = vector.rest == nil ? [] : message.texts ?? []
      #expect(read.map(\.name) == (wanted.map(\.name) + texts).map { prefix + $0 })
      // A key is shown to nobody.
      for (field, (name, value)) in zip(read, wanted) where !name.hasPrefix("key_") {
        #expect(value.isShown(as: field.value), "\(vector.name): \(name) is \(field.value)")
      }
      let way = packets[index].direction == .toHost ? "D→H" : "H→D"
      let line = lines[index].split(separator: " ").joined(separator: " ")
      #expect(line == "\(way) \(vector.type) #\(vector.seq) \(vector.told)".trimmed)
    }
  }

  @Test func `the capabilities of HELLO are fields of their own`() throws {
    let packets = [5, 10, 0x8000_0000].map { (capabilities: UInt32) -> CapturedPacket in
      var hello = Hello(
        role: .device, session: 0, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
      hello.capabilities = capabilities
      var body = FrameBody(type: .hello, sequence: 0)
      hello.write(to: &body)
      return Self.raw(WireFrame(body).withBytes { Array($0) })
    }
    try Self.expectFields(of: packets)
    let filter = "fob.hello.capabilities.no_battery == 1 && !fob.hello.capabilities.no_gps == 1"
    let filtered = try Tshark.run(
      ["-Y", filter, "-T", "fields", "-e", "frame.number"], on: packets)
    #expect(filtered == ["1"])
  }

  @Test func `payloads cut short, grown, of other versions and types are told the same`() throws {
    var random = SeededGenerator(seed: 31)
    var packets: [CapturedPacket] = []
    for vector in try Self.vectors() {
      guard let body = Self.body(of: vector) else { continue }
      for count in stride(from: 4, through: body.count, by: 5) {
        packets.append(Self.packet(Array(body[..<count]), vector.direction))
      }
      packets.append(Self.packet(body + [1], vector.direction))
      packets.append(Self.packet(body + [1, 0, 3], vector.direction))
      for head: UInt8 in [0x14, 0x1C, 0x11, 0x20, 0x03] {
        packets.append(Self.packet([head] + body.dropFirst(), vector.direction))
      }
    }
    for _ in 0..<60 {
      let payload = Self.bytes(Int.random(in: 0...100, using: &random), using: &random)
      packets.append(
        Self.packet([0x10, UInt8.random(in: 0...255, using: &random), 1, 0] + payload, .toHost))
    }
    try Self.expectLines(of: packets)
    try Self.expectFields(of: packets)
  }

  @Test func `damaged frames show as such, with an expert info`() throws {
    let good = try #require(try Self.vectors().first { Self.described($0)[0].typeName == "EVENT" })
    var wrongCRC = good
    wrongCRC.bytes[wrongCRC.bytes.count - 3] ^= 0x40
    var cut = good
    cut.bytes.remove(at: 20)
    let runs: [(packet: CapturedPacket, info: String)] = [
      (wrongCRC, "crc"), (cut, "cobs"), (Self.raw([1, 1, 1, 0]), "short"),
      (Self.raw([UInt8](repeating: 5, count: 260) + [0]), "long"),
      (Self.raw(Array(good.bytes.dropLast())), "unfinished"),
    ]
    let fields = try Tshark.fields(of: runs.map(\.packet))
    for (shown, run) in zip(fields, runs) {
      #expect(shown.contains { $0.name == "fob.damaged.\(run.info)" }, "\(run.info)")
      let damage = Self.described(run.packet)[0]
      guard case .damaged(let damage) = damage.content else {
        Issue.record("\(run.info) is a frame")
        continue
      }
      #expect(shown.first { $0.name == "fob.damage" }?.value == damage.text)
      #expect(!shown.contains { $0.name.hasPrefix("fob.event.") })
    }
    let filtered = try Tshark.run(
      ["-Y", "fob.damaged.crc", "-T", "fields", "-e", "frame.number"], on: runs.map(\.packet))
    #expect(filtered == ["1"])
    try Self.expectLines(of: runs.map(\.packet))
  }

  @Test func `unknown types and frames sent again have an expert info`() throws {
    let again = Self.packet([0x14, 0x11, 1, 0] + [UInt8](repeating: 1, count: 12), .toDevice)
    let unknown = Self.packet([0x10, 0x7F, 1, 0], .toHost)
    let short = Self.packet([0x10, 0x02, 1, 0, 5], .toDevice)
    let reserved = Self.packet([0x18, 0x50, 1, 0], .toDevice)
    let fields = try Tshark.fields(of: [again, unknown, short, reserved])
    for (shown, name) in zip(fields, ["resent.event", "unknown", "refused", "reserved"]) {
      #expect(shown.contains { $0.name == "fob.\(name)" }, "\(name)")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `garbage never makes an error of Lua, and reads as it does here`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let vectors = try Self.vectors()
    let types: [UInt8] = [1, 2, 3, 4, 5, 16, 17, 32, 33, 34, 48, 49, 64, 65, 80, 81, 128, 129, 7]
    let packets = (0..<400).map { number -> CapturedPacket in
      let direction: Direction = Bool.random(using: &random) ? .toHost : .toDevice
      let count = Int.random(in: 0...240, using: &random)
      switch number % 3 {
      case 0: return Self.raw(Self.bytes(count, using: &random) + [0], direction)
      case 1:
        var packet = vectors.randomElement(using: &random)!
        let at = Int.random(in: 0..<packet.bytes.count, using: &random)
        packet.bytes[at] = UInt8.random(in: 0...255, using: &random)
        return packet
      default:
        let head: UInt8 = number % 2 == 0 ? 0x10 : UInt8.random(in: 0...255, using: &random)
        let type = types.randomElement(using: &random)!
        return Self.packet([head, type, 9, 1] + Self.bytes(count, using: &random), direction)
      }
    }
    try Self.expectLines(of: packets)
  }

  // MARK: What is compared

  /// Each field's value, its words, and its flags.
  private static func expectFields(of packets: [CapturedPacket]) throws {
    let shown = try Tshark.fields(of: packets)
    #expect(shown.count == packets.count)
    for (packet, fields) in zip(packets, shown) {
      guard case .frame(let frame)? = described(packet).first?.content else { continue }
      let prefix = "fob.\(frame.name.lowercased())."
      // What seals a frame is of no message.
      let isSeal = { (name: String) in name.hasPrefix("fob.seal_") }
      let read = fields.filter {
        $0.name.hasPrefix(prefix) && !isBit($0.name, of: prefix) || isSeal($0.name)
      }
      let names = frame.fields.map {
        isSeal("fob." + $0.name) ? "fob." + $0.name : prefix + $0.name
      }
      #expect(read.map(\.name) == names, "\(frame)")
      for (mine, its) in zip(frame.fields, read) {
        // Wireshark cuts a label of more than 240 bytes.
        let label = "\(mine.name): \(mine.text)"
        if label.utf8.count < 200 { #expect(its.label == label, "\(frame.name)") }
        // A key is shown to nobody.
        if mine.text != "not shown", let number = number(mine.value) {
          #expect(Self.number(its.value) == number)
        }
      }
      let bits = fields.filter {
        isBit($0.name, of: prefix) && ["1", "True"].contains($0.value)
      }
      let wanted = ["flags", "capabilities"].flatMap { field in
        (frame.text(of: field) ?? "none").components(separatedBy: " + ").filter {
          $0 != "none" && !$0.hasPrefix("bit ")
        }.map { "\(prefix)\(field).\($0.lowercased().replacingOccurrences(of: " ", with: "_"))" }
      }
      #expect(Set(bits.map(\.name)) == Set(wanted))
      #expect(fields.first { $0.name == "fob.seq" }?.value == "\(frame.sequence)")
      #expect(fields.first { $0.name == "fob.remark" }?.value == frame.remark)
    }
  }

  /// The column of information is the line of `fob monitor` behind its time.
  private static func expectLines(of packets: [CapturedPacket]) throws {
    let lines = try Tshark.run(["-T", "fields", "-e", "_ws.col.Info"], on: packets)
    #expect(lines.count == packets.count)
    let text = FrameText(hasColour: false, showsFields: false, showsRaw: false)
    for (packet, line) in zip(packets, lines) {
      let wanted = described(packet).map { run in
        let shown = text.lines(run, since: run.at, line: nil, comment: packet.comment)[0]
        return String(shown.drop { $0 != "D" && $0 != "H" })
      }
      let whole = wanted.isEmpty ? "delimiter" : wanted.joined(separator: " | ")
      // A column of Wireshark takes 4095 bytes.
      let shown = whole.utf8.count < 4_000 ? line == whole : whole.hasPrefix(line.prefix(3_000))
      #expect(shown, "\(line)\n\(whole)\n\(Hex.text(packet.bytes))")
    }
  }

  /// Whether it is one bit of a field.
  private static func isBit(_ name: String, of message: String) -> Bool {
    name.hasPrefix(message) && name.dropFirst(message.count).contains(".")
  }

  private static func number(_ value: FieldValue) -> Int64? {
    switch value {
    case .unsigned(let number): Int64(bitPattern: number)
    case .signed(let number): number
    case .bytes: nil
    }
  }

  fileprivate static func number(_ text: String) -> Int64? {
    let bits = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    return bits.map(Int64.init(bitPattern:)) ?? Int64(text)
  }

  // MARK: Packets

  private static func vectors() throws -> [CapturedPacket] {
    let table = try MessageTable.load()
    return try FrameVectors.load().messages.map { vector in
      let way = table.messages.first { $0.name == vector.type }?.direction
      let asks = vector.name.contains("question") || vector.name.contains("of a host")
      return raw(
        try #require(Hex.bytes(vector.wire)), way == "host→device" || asks ? .toDevice : .toHost)
    }
  }

  private static func raw(
    _ bytes: [UInt8], _ direction: Direction = .toHost
  ) -> CapturedPacket {
    CapturedPacket(device: "bench", microseconds: 1, direction: direction, bytes: bytes)
  }

  private static func packet(_ body: [UInt8], _ direction: Direction) -> CapturedPacket {
    let wire = body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)).withBytes { Array($0) } }
    return raw(wire, direction)
  }

  private static func body(of packet: CapturedPacket) -> [UInt8]? {
    var cutter = FrameSplitter()
    guard case .frame(let body)? = cutter.cut(packet.bytes).first?.content else { return nil }
    return body
  }

  private static func described(_ packet: CapturedPacket) -> [FrameDescription] {
    var cutter = FrameSplitter()
    let runs = cutter.cut(packet.bytes) + [cutter.flush()].compactMap(\.self)
    return runs.map {
      FrameDescription(
        $0, at: Instant(microseconds: packet.microseconds), direction: packet.direction)
    }
  }

  private static func packets(of path: String) throws -> [CapturedPacket] {
    var reader = PcapngReader()
    reader.append([UInt8](try Data(contentsOf: URL(filePath: path))))
    var packets: [CapturedPacket] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }

  private static func bytes(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in
      Int.random(in: 0..<6, using: &random) == 0 ? 0 : UInt8.random(in: 0...255, using: &random)
    }
  }
}

extension VectorValue {
  fileprivate func isShown(as words: String) -> Bool {
    switch self {
    case .number(let number): DissectorTests.number(words) == number
    case .text(let hex): DissectorTests.number(words) == DissectorTests.number(hex)
    case .list(let numbers): words == numbers.map { "\($0)" }.joined(separator: ".")
    }
  }
}

extension MessageVector {
  /// What is left out is 0.
  fileprivate func values(
    of message: MessageTable.Message
  ) -> [(name: String, value: VectorValue)] {
    message.fields.map { ($0.name, fields?[$0.name] ?? .number(0)) }
      + (tail ?? []).flatMap { entry in
        (message.tail?.fields ?? []).map { ($0.name, entry[$0.name] ?? .number(0)) }
      }
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
