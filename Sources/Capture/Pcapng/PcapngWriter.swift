/// Writes runs as a pcapng file that Wireshark opens: one section, one interface for each line,
/// one enhanced packet for each run, little endian.
///
/// Pure: each call returns bytes to append. The file is valid after each of them.
public struct PcapngWriter: Sendable {
  private var interfaces: [String: UInt32] = [:]

  /// Knows no line yet: a line gets its interface with its first packet.
  public init() {}

  /// The section header, with which a file begins.
  /// - Parameter application: who writes it, as in `fob 0.1.0`.
  public func begin(application: String) -> [UInt8] {
    var body = BlockBody()
    body.append(Pcapng.byteOrder)
    body.append(Pcapng.major)
    body.append(Pcapng.minor)
    // The section's length is not known yet.
    body.append(UInt64.max)
    body.append(Pcapng.Option.application, text: application)
    body.endOptions()
    return body.block(Pcapng.Block.section)
  }

  /// The bytes of one packet. Before the first packet of a line they describe the line.
  /// - Returns: nil for a new line if `CaptureLimits.interfaces` are there already.
  public mutating func append(_ packet: CapturedPacket) -> [UInt8]? {
    precondition(packet.bytes.count <= CaptureLimits.maxPacketSize, "a packet is too long")
    var bytes: [UInt8] = []
    let number: UInt32
    if let known = interfaces[packet.device] {
      number = known
    } else {
      guard interfaces.count < CaptureLimits.interfaces else { return nil }
      number = UInt32(interfaces.count)
      interfaces[packet.device] = number
      bytes = Self.interface(packet.device)
    }
    return bytes + Self.block(packet, interface: number)
  }

  private static func interface(_ name: String) -> [UInt8] {
    var body = BlockBody()
    body.append(Pcapng.linkType)
    body.append(0 as UInt16)
    // No limit to a packet's length.
    body.append(0 as UInt32)
    body.append(Pcapng.Option.interfaceName, text: name)
    body.append(Pcapng.Option.timeResolution, [Pcapng.microseconds])
    body.endOptions()
    return body.block(Pcapng.Block.interface)
  }

  private static func block(_ packet: CapturedPacket, interface: UInt32) -> [UInt8] {
    let time = UInt64(max(0, packet.microseconds))
    var body = BlockBody()
    body.append(interface)
    body.append(UInt32(truncatingIfNeeded: time >> 32))
    body.append(UInt32(truncatingIfNeeded: time))
    body.append(UInt32(packet.bytes.count))
    body.append(UInt32(packet.bytes.count))
    body.append(padded: packet.bytes)
    let flags = packet.direction == .toHost ? Pcapng.inbound : Pcapng.outbound
    var option = BlockBody()
    option.append(flags)
    body.append(Pcapng.Option.packetFlags, option.bytes)
    if let comment = packet.comment { body.append(Pcapng.Option.comment, text: comment) }
    body.endOptions()
    return body.block(Pcapng.Block.enhancedPacket)
  }
}

/// The inside of a block, little endian.
private struct BlockBody {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
    for at in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> type(of: number).init(at)))
    }
  }

  mutating func append(padded new: [UInt8]) {
    bytes += new + [UInt8](repeating: 0, count: Pcapng.padded(new.count) - new.count)
  }

  mutating func append(_ option: UInt16, _ value: [UInt8]) {
    append(option)
    append(UInt16(value.count))
    append(padded: value)
  }

  /// An empty text is left out.
  mutating func append(_ option: UInt16, text: String) {
    let value = Self.cut(text)
    if !value.isEmpty { append(option, value) }
  }

  mutating func endOptions() { append(Pcapng.Option.end, []) }

  func block(_ type: UInt32) -> [UInt8] {
    let length = UInt32(bytes.count + 12)
    var block = BlockBody()
    block.append(type)
    block.append(length)
    block.bytes += bytes
    block.append(length)
    return block.bytes
  }

  /// At most `maxTextSize` bytes, cut at a character's end.
  private static func cut(_ text: String) -> [UInt8] {
    var value: [UInt8] = []
    for character in text {
      let next = Array(character.utf8)
      guard value.count + next.count <= CaptureLimits.maxTextSize else { break }
      value += next
    }
    return value
  }
}
