/// Reads the files of `PcapngWriter`, in pieces of any size, and skips blocks of other kinds.
///
/// It is safe on any bytes: it holds one block and what was appended last, and its errors say where
/// they are. A file that was cut off is read up to its last whole block.
public struct PcapngReader: Sendable {
  private struct Line: Sendable {
    let name: String
    let resolution: UInt8
  }

  private var bytes: [UInt8] = []
  /// Where the next block begins in `bytes`.
  private var start = 0
  private var offset: UInt64 = 0
  private var lines: [Line] = []
  private var hasSection = false
  private var failure: CaptureError?

  /// Begins at the first byte of a file.
  public init() {}

  /// How many bytes are held of a block whose end has not come, as in a file that was cut off.
  public var unfinishedBytes: Int { bytes.count - start }

  /// Adds bytes to be read by ``next()``. After an error they are ignored.
  public mutating func append(_ new: some Sequence<UInt8>) {
    guard failure == nil else { return }
    bytes.removeFirst(start)
    start = 0
    bytes.append(contentsOf: new)
  }

  /// The next packet; nil until more bytes have been appended.
  /// - Throws: what is wrong with the file, and the same again on every later call.
  public mutating func next() throws(CaptureError) -> CapturedPacket? {
    if let failure { throw failure }
    do throws(CaptureError) {
      while let (type, body) = try nextBlock() {
        let packet = try read(type, BlockReader(body))
        offset += UInt64(body.count) + 12
        if let packet { return packet }
      }
      return nil
    } catch {
      failure = error
      bytes = []
      start = 0
      throw error
    }
  }

  private mutating func nextBlock() throws(CaptureError) -> (UInt32, ArraySlice<UInt8>)? {
    var head = BlockReader(bytes[start...])
    guard let type = head.next32() else { return nil }
    guard hasSection || type == Pcapng.Block.section else { throw error(.notPcapng) }
    guard let length = head.next32() else { return nil }
    if type == Pcapng.Block.section {
      guard let order = head.next32() else { return nil }
      if order == Pcapng.byteOrder.byteSwapped { throw error(.bigEndian) }
      guard order == Pcapng.byteOrder else { throw error(.notPcapng) }
    }
    guard length >= 12, length <= CaptureLimits.maxBlockSize, length % 4 == 0 else {
      throw error(.blockLength(length))
    }
    let end = start + Int(length)
    guard end <= bytes.count else { return nil }
    var tail = BlockReader(bytes[(end - 4)..<end])
    if let again = tail.next32(), again != length { throw error(.lengthsDiffer(length, again)) }
    let body = bytes[(start + 8)..<(end - 4)]
    start = end
    return (type, body)
  }

  private mutating func read(
    _ type: UInt32, _ body: BlockReader
  ) throws(CaptureError) -> CapturedPacket? {
    switch type {
    case Pcapng.Block.section: try readSection(body)
    case Pcapng.Block.interface: try readInterface(body)
    case Pcapng.Block.enhancedPacket: return try readPacket(body)
    // The format asks readers to skip blocks that they do not know.
    default: break
    }
    return nil
  }

  private mutating func readSection(_ body: BlockReader) throws(CaptureError) {
    var body = body
    guard body.next32() != nil, let major = body.next16(), let minor = body.next16(),
      body.next(8) != nil
    else { throw error(.blockTooShort) }
    guard major == Pcapng.major else { throw error(.version(major, minor)) }
    hasSection = true
    lines = []
  }

  private mutating func readInterface(_ body: BlockReader) throws(CaptureError) {
    var body = body
    guard let linkType = body.next16(), body.next(6) != nil else { throw error(.blockTooShort) }
    guard linkType == Pcapng.linkType else { throw error(.linkType(linkType)) }
    guard lines.count < CaptureLimits.interfaces else { throw error(.tooManyInterfaces) }
    var name = "line \(lines.count)"
    var resolution = Pcapng.microseconds
    while let (code, value) = try nextOption(&body) {
      switch code {
      case Pcapng.Option.interfaceName: name = Self.text(value)
      case Pcapng.Option.timeResolution: resolution = value.first ?? resolution
      default: break
      }
    }
    guard resolution == Pcapng.microseconds || resolution == Pcapng.nanoseconds else {
      throw error(.timeResolution(resolution))
    }
    lines.append(Line(name: name, resolution: resolution))
  }

  private func readPacket(_ body: BlockReader) throws(CaptureError) -> CapturedPacket {
    var body = body
    guard let number = body.next32(), let high = body.next32(), let low = body.next32(),
      let count = body.next32(), body.next32() != nil
    else { throw error(.blockTooShort) }
    guard number < UInt32(lines.count) else { throw error(.unknownInterface(number)) }
    guard count <= CaptureLimits.maxPacketSize, let packet = body.next(Int(count)),
      body.next(Pcapng.padded(Int(count)) - Int(count)) != nil
    else { throw error(.packetLength(count)) }
    var flags: UInt32 = 0
    var comment: String?
    while let (code, value) = try nextOption(&body) {
      var option = BlockReader(value)
      switch code {
      case Pcapng.Option.packetFlags: flags = option.next32() ?? 0
      case Pcapng.Option.comment: comment = Self.text(value)
      default: break
      }
    }
    let isInbound = flags & 3 == Pcapng.inbound
    guard isInbound || flags & 3 == Pcapng.outbound else { throw error(.noDirection) }
    let line = lines[Int(number)]
    let time = UInt64(high) << 32 | UInt64(low)
    return CapturedPacket(
      device: line.name,
      microseconds: Int64(clamping: line.resolution == Pcapng.nanoseconds ? time / 1_000 : time),
      direction: isInbound ? .toHost : .toDevice, bytes: Array(packet), comment: comment)
  }

  /// Nil at the end of the options; the mark of their end may be absent.
  private func nextOption(
    _ body: inout BlockReader
  ) throws(CaptureError) -> (UInt16, ArraySlice<UInt8>)? {
    guard let code = body.next16(), code != Pcapng.Option.end else { return nil }
    guard let count = body.next16(), let value = body.next(Int(count)),
      body.next(Pcapng.padded(Int(count)) - Int(count)) != nil
    else { throw error(.option) }
    return (code, value)
  }

  private func error(_ reason: CaptureError.Reason) -> CaptureError {
    CaptureError(offset: offset, reason: reason)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(CaptureLimits.maxTextSize), as: UTF8.self)
  }
}

/// Little-endian numbers from the front of a block; nil where it has ended.
private struct BlockReader {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }

  mutating func next16() -> UInt16? {
    next(2).map { $0.reversed().reduce(0) { $0 << 8 | UInt16($1) } }
  }

  mutating func next32() -> UInt32? {
    next(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
  }
}

/// Why a capture file cannot be read on.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault; its numbers are those found in the file.
  public enum Reason: Hashable, Sendable {
    case notPcapng
    case bigEndian
    case version(UInt16, UInt16)
    case blockLength(UInt32)
    case lengthsDiffer(UInt32, UInt32)
    case blockTooShort
    case tooManyInterfaces
    case linkType(UInt16)
    case timeResolution(UInt8)
    case option
    case unknownInterface(UInt32)
    case packetLength(UInt32)
    case noDirection
  }

  /// Where the faulty block begins, in bytes from the beginning of the file.
  public let offset: UInt64
  /// The fault of that block.
  public let reason: Reason

  /// Says what is wrong and where, and how to fix it where a fix is known.
  public var description: String { "at byte \(offset): \(words)" }

  private var words: String {
    switch reason {
    case .notPcapng:
      "it is no pcapng file; give one that fob monitor --write has made"
    case .bigEndian:
      "it was written big endian, which is not read here; let editcap copy it on this machine"
    case .version(let major, let minor): "pcapng \(major).\(minor) is not known here, 1.0 is"
    case .blockLength(let length):
      "a block of \(length) bytes; it takes 12 to \(CaptureLimits.maxBlockSize), and whole fours"
    case .lengthsDiffer(let first, let second):
      "a block says \(first) bytes at its beginning and \(second) at its end"
    case .blockTooShort: "a block is too short for what it must hold"
    case .tooManyInterfaces: "more than \(CaptureLimits.interfaces) lines"
    case .linkType(let type):
      "a line has link type \(type); a keychain's has \(Pcapng.linkType) (USER0)"
    case .timeResolution(let resolution):
      "time resolution \(resolution) is not known here, 6 (µs) and 9 (ns) are"
    case .option: "an option is longer than its block"
    case .unknownInterface(let number): "a packet is of line \(number), which is not described"
    case .packetLength(let length): "a packet of \(length) bytes is longer than its block"
    case .noDirection: "a packet does not say which way it went (epb_flags)"
    }
  }
}
