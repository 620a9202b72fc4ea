import CBench
import FobBase
import NMEA

/// GGA, RMC and three GSV with their checksums: ns a sentence against minmea.
///
/// In two ways, each with a minmea that does the same: every sentence taken apart, and the position
/// alone, where a GSV is verified and passed over. Minmea has the favour that its lines are cut
/// beforehand; ours finds them in pieces as large as a reader's buffer.
struct NMEABenchmark {
  private let blocks: Int
  private let peers: String?
  private let results: String?
  private let only: String?

  private typealias Read = @convention(c) (UnsafePointer<CChar>, Int, CInt) -> Int

  init(_ arguments: Arguments) throws {
    blocks = try arguments.number("blocks", default: 600)
    peers = arguments.optional("peers")
    results = arguments.optional("results")
    only = arguments.optional("only")
  }

  static let sentences = [
    "GPGGA,123519.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPRMC,123519.00,A,4807.0380,N,01131.0000,E,0.022,084.4,230394,003.1,W,A",
    "GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00",
    "GPGSV,3,2,11,14,25,170,00,16,57,208,39,18,67,296,40,19,40,246,00",
    "GPGSV,3,3,11,22,42,067,42,24,14,311,43,27,05,244,00",
  ].map { characters in
    let sum = characters.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(characters)*\(digits.count < 2 ? "0" : "")\(digits)"
  }

  func run() throws {
    _ = bench_pin(1)
    let rounds = 400
    let count = rounds * Self.sentences.count
    var stream: [UInt8] = []
    var lines: [CChar] = []
    for sentence in Array(repeating: Self.sentences, count: rounds).joined() {
      stream += Array((sentence + "\r\n").utf8)
      lines += (sentence + "\r\n").utf8CString
    }
    let read = Peer("minmea", in: peers)?.entry("peer_read_sentences", as: Read.self)
    let jobs = [("all taken apart", true), ("position only", false)]
    var rows: [Row] = []
    for (job, withGSV) in jobs {
      var ways = [
        Blocks.Way(name: "fob") { withGSV ? Self.takeApart(stream) : Self.receive(stream) }
      ]
      if let read {
        ways.append(Blocks.Way(name: "minmea") { read(lines, count, withGSV ? 1 : 0) })
      }
      if let only { ways.removeAll { $0.name != only } }
      let medians = try Blocks.medians(of: ways, units: count, blocks: blocks)
      if only != nil { continue }
      rows.append(
        Row(
          name: "NMEA sentence, \(job)", unit: "ns", ours: medians[0], peerName: "minmea",
          peer: medians.count > 1 ? medians[1] : nil, bar: Row.Bar(atMost: 0.25)))
    }
    if only == nil { try Results.add(rows, of: "2 NMEA", to: results) }
  }

  private static func receive(_ stream: [UInt8]) -> Int {
    var receiver = GPSReceiver()
    var at = 0
    while at < stream.count {
      let piece = stream.span.extracting(at..<min(at + 4_096, stream.count))
      _ = receiver.receive(piece, at: Instant(microseconds: 0))
      at += piece.count
    }
    return receiver.fieldErrors == 0 ? Int(receiver.reader.accepted) : 0
  }

  static func takeApart(_ stream: [UInt8]) -> Int {
    var reader = SentenceReader()
    var read = 0
    var at = 0
    while at < stream.count {
      let piece = stream.span.extracting(at..<min(at + 4_096, stream.count))
      var start = 0
      while let sentence = (try? reader.next(in: piece, from: &start)) ?? nil {
        if case .other = sentence { continue }
        read += 1
      }
      at += piece.count
    }
    return read
  }
}
