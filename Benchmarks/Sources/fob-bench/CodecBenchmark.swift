import CBench
import WireProtocol

/// Decoding and encoding, each with its CRC: ns a frame of FrameDecoder and WireFrame against
/// libraries in C, and beside the reference in C of this repository.
struct CodecBenchmark {
  private let blocks: Int
  private let peers: String?
  private let results: String?
  private let only: String?

  private typealias DecodeStream = @convention(c) (UnsafePointer<UInt8>, Int) -> Int
  private typealias DecodeFrames =
    @convention(c) (
      UnsafePointer<UInt8>, UnsafePointer<UInt32>, Int
    ) -> Int
  private typealias Encode =
    @convention(c) (
      UnsafePointer<UInt8>, UnsafePointer<UInt32>, Int, UnsafeMutablePointer<UInt8>
    ) -> Int

  init(_ arguments: Arguments) throws {
    blocks = try arguments.number("blocks", default: 600)
    peers = arguments.optional("peers")
    results = arguments.optional("results")
    only = arguments.optional("only")
  }

  func run() throws {
    _ = bench_pin(1)
    let kinds = [(0.0, "random", 0.75), (0.3, "30 % zeros", 0.40)]
    let rows = try kinds.flatMap { zeros, name, bar in
      let frames = FrameSet(2_000, zeros: zeros)
      return try compare(frames, name, Row.Bar(atMost: bar)) + compareEncoders(frames, name)
    }
    try Results.add(rows, of: "1 codec", to: results)
  }

  private func compare(
    _ frames: FrameSet, _ name: String, _ bar: Row.Bar
  ) throws -> [Row] {
    var ways = [Blocks.Way(name: "fob") { Self.decode(frames.stream) }]
    for library in ["nanocobs", "cobs-c", "min", Self.reference] {
      if let peer = Peer(library, in: peers) { ways += Self.ways(of: peer, frames) }
    }
    if let only { ways.removeAll { $0.name != only } }
    let medians = try Blocks.medians(of: ways, units: frames.count, blocks: blocks)
    if only != nil { return [] }
    var rows = zip(ways, medians).dropFirst().map { way, time in
      Row(
        name: "decode + CRC, \(name)", unit: "ns", ours: medians[0], peerName: way.name, peer: time)
    }
    let best = rows.indices.filter { rows[$0].peerName != Self.reference }
      .min { rows[$0].peer! < rows[$1].peer! }
    if let best {
      rows[best].bar = bar
    } else {
      rows.append(
        Row(
          name: "decode + CRC, \(name)", unit: "ns", ours: medians[0], peerName: "C libraries",
          bar: bar))
    }
    return rows
  }

  /// The reference stands beside the others; no bar is on it.
  private static let reference = "fob-c"

  private func compareEncoders(_ frames: FrameSet, _ name: String) throws -> [Row] {
    guard only == nil else { return [] }
    var ways = [Blocks.Way(name: "fob") { Self.encode(frames) }]
    for library in ["nanocobs", "cobs-c", Self.reference] {
      guard let peer = Peer(library, in: peers),
        let encode = peer.entry("peer_encode_frames", as: Encode.self)
      else { continue }
      ways.append(Blocks.Way(name: library) { Self.encode(frames, by: encode) })
    }
    let medians = try Blocks.medians(of: ways, units: frames.count, blocks: blocks)
    return zip(ways, medians).dropFirst().map { way, time in
      Row(
        name: "encode + CRC, \(name)", unit: "ns", ours: medians[0], peerName: way.name, peer: time)
    }
  }

  /// As a keychain does it: the body becomes the frame where it stands, and goes from there to the
  /// line. How many frames were encoded, where together they are as long as they should be.
  private static func encode(_ frames: FrameSet) -> Int {
    var start = 0
    var written = 0
    withUnsafeTemporaryAllocation(byteCount: frames.stream.count + 300, alignment: 1) { room in
      frames.bodies.withUnsafeBytes { bodies in
        for end in frames.bodyEnds {
          var frame = FrameBody()
          frame.append(UnsafeRawBufferPointer(rebasing: bodies[start..<Int(end)]))
          frame.withWireBytes { wire in
            UnsafeMutableRawBufferPointer(rebasing: room[written...]).copyMemory(from: wire)
            written += wire.count
          }
          start = Int(end)
        }
      }
    }
    return written == frames.stream.count ? frames.count : 0
  }

  private static func encode(_ frames: FrameSet, by encode: Encode) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: frames.stream.count + 300) { room in
      let written = encode(frames.bodies, frames.bodyEnds, frames.count, room.baseAddress!)
      return written == frames.stream.count ? frames.count : 0
    }
  }

  /// In pieces as large as a reader's buffer.
  static func decode(_ stream: [UInt8]) -> Int {
    var decoder = FrameDecoder()
    var whole = 0
    stream.withUnsafeBytes { all in
      var at = 0
      while at < all.count {
        let end = min(at + 4_096, all.count)
        var chunk = UnsafeRawBufferPointer(rebasing: all[at..<end])
        while let outcome = decoder.next(&chunk) { whole += outcome == .frame ? 1 : 0 }
        at = end
      }
    }
    return whole
  }

  private static func ways(of peer: Peer, _ frames: FrameSet) -> [Blocks.Way] {
    let stream = framed(frames, by: peer)
    var ways: [Blocks.Way] = []
    if let decode = peer.entry("peer_decode_stream", as: DecodeStream.self) {
      ways.append(Blocks.Way(name: peer.name) { decode(stream, stream.count) })
    }
    if let decode = peer.entry("peer_decode_frames", as: DecodeFrames.self) {
      ways.append(
        Blocks.Way(name: peer.name + ", cut beforehand") {
          decode(stream, frames.ends, frames.count)
        })
    }
    return ways
  }

  /// A peer with a framing of its own gets the same bodies in that.
  private static func framed(_ frames: FrameSet, by peer: Peer) -> [UInt8] {
    guard let encode = peer.entry("peer_encode", as: Encode.self) else { return frames.stream }
    return [UInt8](unsafeUninitializedCapacity: 3 * frames.stream.count) { buffer, count in
      count = encode(frames.bodies, frames.bodyEnds, frames.count, buffer.baseAddress!)
    }
  }
}
