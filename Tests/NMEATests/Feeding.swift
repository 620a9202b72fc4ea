import FobBase
import NMEA

/// `body` as a receiver sends it: with `$`, checksum and line end.
func sentence(_ body: String, lineEnd: String = "\r\n") -> [UInt8] {
  let sum = body.utf8.reduce(0 as UInt8, ^)
  let digits = Array("0123456789ABCDEF".utf8)
  return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)]]
    + Array(lineEnd.utf8)
}

/// A GGA of 9:30 UTC at 10.5° N, 20.25° E, with what a test wants otherwise.
func gga(
  _ talker: String = "GP", time: String = "093000.00",
  at place: String = "1030.0000,N,02015.0000,E", quality: String = "1",
  satellites: String = "08", hdop: String = "1.0", altitude: String = "12.5"
) -> [UInt8] {
  sentence(
    "\(talker)GGA,\(time),\(place),\(quality),\(satellites),\(hdop),\(altitude),M,45.0,M,,")
}

/// An RMC of 2024-03-01, 9:30 UTC at 11° N, 21° E, with what a test wants otherwise.
func rmc(
  _ talker: String = "GP", time: String = "093000.00", status: String = "A",
  at place: String = "1100.0000,N,02100.0000,E", date: String = "010324"
) -> [UInt8] {
  sentence("\(talker)RMC,\(time),\(status),\(place),0.1,,\(date),,,A")
}

/// `sentence` with `$`, checksum and line end.
func written(_ sentence: Sentence) -> [UInt8] {
  var writer = SentenceWriter()
  writer.write(sentence)
  return writer.withBytes { span in (0..<span.count).map { span[$0] } }
}

/// A sentence reader to feed. A class, since `#expect` calls no mutating method.
@dynamicMemberLookup
final class FedReader {
  private var reader: SentenceReader

  init(checksum: ChecksumPolicy = .required) { reader = SentenceReader(checksum: checksum) }

  subscript<T>(dynamicMember member: KeyPath<SentenceReader, T>) -> T { reader[keyPath: member] }

  /// The accepted sentences among `bytes`, without `$` and checksum.
  func read(_ bytes: [UInt8]) -> [String] {
    var found: [String] = []
    for byte in bytes where reader.receive(byte) { found.append(reader.text) }
    return found
  }

  /// As `read`, all at once.
  func readChunk(_ bytes: [UInt8]) -> [String] {
    var found: [String] = []
    var start = 0
    while reader.receive(bytes.span, from: &start) { found.append(reader.text) }
    return found
  }
}

/// A GPS receiver to feed.
@dynamicMemberLookup
final class FedReceiver {
  private var receiver = GPSReceiver()

  subscript<T>(dynamicMember member: KeyPath<GPSReceiver, T>) -> T { receiver[keyPath: member] }

  /// Feeds `bytes`, all read `seconds` after the start. True when one of them changed the fix.
  @discardableResult
  func read(_ bytes: [UInt8], seconds: Int64 = 0) -> Bool {
    var changed = false
    for byte in bytes where receiver.receive(byte, at: .seconds(seconds)) { changed = true }
    return changed
  }

  func quality(seconds: Int64) -> GPSQuality { receiver.quality(at: .seconds(seconds)) }

  func mode(seconds: Int64) -> FixMode { receiver.mode(at: .seconds(seconds)) }
}

extension SentenceReader {
  var text: String {
    withSentence { span in
      String(decoding: (0..<span.count).map { span[$0] }, as: UTF8.self)
    }
  }
}

extension Instant {
  static func seconds(_ n: Int64) -> Instant { Instant(microseconds: n * 1_000_000) }
}

extension Sentence {
  var gga: GGA? { if case .gga(let gga) = self { gga } else { nil } }
  var rmc: RMC? { if case .rmc(let rmc) = self { rmc } else { nil } }
  var gns: GNS? { if case .gns(let gns) = self { gns } else { nil } }
  var gsa: GSA? { if case .gsa(let gsa) = self { gsa } else { nil } }
  var gsv: GSV? { if case .gsv(let gsv) = self { gsv } else { nil } }
  var gll: GLL? { if case .gll(let gll) = self { gll } else { nil } }
  var vtg: VTG? { if case .vtg(let vtg) = self { vtg } else { nil } }
  var zda: ZDA? { if case .zda(let zda) = self { zda } else { nil } }
}
