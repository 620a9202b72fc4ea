import AlertCore
import FobBase
import SystemCrypto
import TestSupport
import Testing

@testable import Sinks

@Suite struct DC09FrameTests {
  private static let wall = Timestamp.evening.wall

  private func text(
    _ content: DC09Content, isShort: Bool = false, by cipher: ZeroIVCipher? = nil
  ) -> String {
    let message = DC09Message(place: .sample, content: content, sequence: 7)
    let frame = message.frame(at: Self.wall, isShort: isShort, by: cipher) { count in
      (0..<count).map { UInt8($0) }
    }
    return String(decoding: frame, as: UTF8.self)
  }

  /// The check value of CRC-16/ARC.
  @Test func `the CRC is the one of the standard`() {
    #expect(DC09Frame.crc(Array("123456789".utf8)) == 0xBB3D)
    #expect(DC09Frame.crc([]) == 0)
  }

  @Test func `a message has CRC, length, number, place, data, position and time`() {
    #expect(
      text(.press)
        == "\n3C370055\"SIA-DCS\"0007R0L0#12AB[#12AB|Nri1/PA001][X000W00.090][Y51N28.668]"
        + "_04:47:00,01-15-2026\r")
    #expect(
      text(.press, isShort: true)
        == "\nF46C003C\"SIA-DCS\"0007R0L0#12AB[#12AB|Nri1/PA001]_04:47:00,01-15-2026\r")
    #expect(text(.linkTest) == "\nAA900029\"NULL\"0007R0L0#12AB[]_04:47:00,01-15-2026\r")
  }

  @Test func `what is encrypted begins with 16 to 31 bytes that are no bracket and no bar`() throws
  {
    for length in 0..<40 {
      let data = String(repeating: "x", count: length)
      let whole = text(DC09Content(token: "SIA-DCS", data: data), by: .sample)
      let head = "\"*SIA-DCS\"0007R0L0#12AB["
      let start = try #require(whole.firstRange(of: head)).upperBound
      let sealed = try #require(Hex.bytes(String(whole[start...].dropLast())))
      let bytes = try #require(ZeroIVCipher.sample.decrypt(sealed))
      let open = String(decoding: bytes, as: UTF8.self)
      let bar = try #require(open.firstIndex(of: "|"))
      let padding = open[..<bar]
      #expect((16...31).contains(padding.utf8.count))
      #expect(!padding.contains { "|[]".contains($0) })
      #expect(open[bar...] == "|\(data)]_04:47:00,01-15-2026")
    }
  }

  @Test(arguments: [
    (0, "_00:00:00,01-01-1970"), (951_782_400, "_00:00:00,02-29-2000"),
    (1_798_761_599, "_23:59:59,12-31-2026"), (4_102_444_800, "_00:00:00,01-01-2100"),
  ])
  func `a time is written in GMT and read again`(seconds: Int64, text: String) {
    #expect(DC09Time.text(seconds * 1_000_000 + 999_999) == text)
    #expect(DC09Time.wall(text.utf8) == seconds * 1_000_000)
    #expect(SampleAnswer.time(seconds * 1_000_000) == text)
  }

  @Test(arguments: [
    "", "_", "_24:00:00,01-01-2026", "_00:60:00,01-01-2026", "_00:00:61,01-01-2026",
    "_00:00:00,00-01-2026", "_00:00:00,13-01-2026", "_00:00:00,01-00-2026",
    "_00:00:00,01-32-2026", "_00:00:00,01-01-1969", "_00:00:00,01-01-20260",
    "x00:00:00,01-01-2026", "_0a:00:00,01-01-2026", "_00:00:00,01/01-2026",
  ])
  func `what is no time is none`(text: String) { #expect(DC09Time.wall(text.utf8) == nil) }

  // MARK: Answers

  private func read(_ bytes: [UInt8], by cipher: ZeroIVCipher? = nil) -> [Result<
    DC09Answer, DC09Flaw
  >] {
    var reader = DC09FrameReader()
    return reader.read(bytes).map { DC09Answer.read($0, by: cipher) }
  }

  @Test func `each answer is read, however it is cut`() throws {
    let time = "_04:47:00,01-15-2026"
    let all: [(SampleAnswer, DC09Answer)] = [
      (
        SampleAnswer(sequence: 9_999),
        DC09Answer(word: .ack, sequence: 9_999, account: "12AB", isEncrypted: false, wall: nil)
      ),
      (
        SampleAnswer(word: "DUH", time: time),
        DC09Answer(
          word: .duh, sequence: 1, account: "12AB", isEncrypted: false, wall: Self.wall)
      ),
      (
        SampleAnswer(account: "12ab", time: time, cipher: .sample),
        DC09Answer(word: .ack, sequence: 1, account: "12AB", isEncrypted: true, wall: Self.wall)
      ),
    ]
    var bytes: [UInt8] = []
    for (answer, _) in all { bytes += answer.bytes }
    bytes += SampleAnswer.refusal(time)
    let wanted =
      all.map(\.1) + [
        DC09Answer(word: .nak, sequence: 0, account: "", isEncrypted: false, wall: Self.wall)
      ]
    #expect(try read(bytes, by: .sample).map { try $0.get() } == wanted)
    var reader = DC09FrameReader()
    let pieces = bytes.flatMap { reader.read([$0]) }.map { DC09Answer.read($0, by: .sample) }
    #expect(try pieces.map { try $0.get() } == wanted)
  }

  @Test func `each wrong byte of an answer is a flaw, and none is an answer`() {
    for good in [
      SampleAnswer().bytes, SampleAnswer(time: "_04:47:00,01-15-2026", cipher: .sample).bytes,
    ] {
      for index in good.indices.dropFirst().dropLast() {
        // A digit of the envelope may be a small letter.
        for bit in 0..<8 where index > 8 || bit != 5 {
          var wrong = good
          wrong[index] ^= 1 << bit
          for answer in read(wrong, by: .sample) {
            #expect(throws: DC09Flaw.self) { try answer.get() }
          }
        }
      }
    }
  }

  @Test func `a flaw says what is wrong`() throws {
    func flaw(_ body: String, by cipher: ZeroIVCipher? = nil) -> DC09Flaw? {
      let found = read(DC09Frame.bytes(Array(body.utf8)), by: cipher)
      guard case .failure(let flaw)? = found.first, found.count == 1 else { return nil }
      return flaw
    }
    for body in [
      "", "ACK", "\"ACK", "\"NO\"0001L0#12AB[]", "\"ACK\"001L0#12AB[]", "\"ACK\"0001L0#12AB",
      "\"ACK\"0001L0#12AB[", "\"*ACK\"0001L0#12AB[xy",
    ] {
      #expect(flaw(body) == .form, "\(body)")
    }
    #expect(flaw("\"*ACK\"0001L0#12AB[00", by: .sample) == .key)
    #expect(flaw("\"*ACK\"0001L0#12AB[", by: .sample) == .key)
    let sealed = SampleAnswer(time: "_04:47:00,01-15-2026", cipher: .sample).bytes
    #expect(read(sealed) == [.failure(.key)])
    let other = try #require(ZeroIVCipher(key: [UInt8](repeating: 1, count: 32)))
    #expect(read(sealed, by: other) == [.failure(.key)])
    #expect(read(Array("\"NAK\"".utf8)) == [.failure(.noFrame)])
    #expect(read(Array("\n\r".utf8)) == [.failure(.form)])
    let long = [DC09Frame.lineFeed] + [UInt8](repeating: 65, count: 5_000) + [13]
    #expect(read(long) == [.failure(.tooLong)])
    var wrong = SampleAnswer().bytes
    wrong[1] = wrong[1] == 65 ? 66 : 65
    #expect(read(wrong) == [.failure(.crc)])
    #expect(read(Array("\n0000FFFF\"ACK\"\r".utf8)) == [.failure(.length)])
  }

  @Test func `whatever comes, nothing traps and little is held`() {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      var bytes = SampleAnswer(
        time: "_04:47:00,01-15-2026", cipher: Bool.random(using: &chance) ? .sample : nil
      ).bytes
      for _ in 0..<Int.random(in: 0...4, using: &chance) {
        let at = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0...2, using: &chance) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &chance), at: at)
        default: bytes.removeSubrange(at..<min(bytes.count, at + 3))
        }
        if bytes.isEmpty { break }
      }
      for answer in read(bytes, by: .sample) {
        guard let answer = try? answer.get() else { continue }
        #expect((0...9_999).contains(answer.sequence), "seed \(seed)")
      }
    }
  }
}
