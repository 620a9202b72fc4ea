import FobBase
import NMEA

/// libFuzzer entry: whatever bytes come, the receiver must not trap and must state no impossible
/// place. The bytes go in as they are, once for each policy of checksums, by the byte and in one
/// chunk; and with each line framed as a sentence with the right checksum, since a fuzzer seldom
/// hits that by itself. What reads as a sentence must survive being written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: data, count: count)
  for policy in [ChecksumPolicy.required, .optional] {
    var raw = CheckedReceiver(policy)
    for byte in bytes { raw.receive(byte) }
    checkChunks(bytes, policy)
  }

  var framed = CheckedReceiver(.required)
  for line in bytes.split(separator: UInt8(ascii: "\n")) { framed.receive(line: line) }
  return 0
}

/// A chunk says the same as its bytes.
private func checkChunks(_ bytes: UnsafeBufferPointer<UInt8>, _ policy: ChecksumPolicy) {
  var alone = SentenceReader(checksum: policy)
  var together = SentenceReader(checksum: policy)
  let chunk = Span(_unsafeElements: bytes)
  var taken = 0
  while true {
    let start = taken
    let hasEnded = together.receive(chunk, from: &taken)
    for at in start..<taken {
      let isLast = hasEnded && at == taken - 1
      precondition(alone.receive(bytes[at]) == isLast, "both end a sentence at the same byte")
    }
    precondition(alone.accepted == together.accepted && alone.refused == together.refused)
    guard hasEnded else { break }
    checkRoundTrip(together)
  }
  precondition(taken == bytes.count)
}

/// Numbers may have been cut, but what is read back of them must be read back again.
private func checkRoundTrip(_ reader: SentenceReader) {
  guard let sentence = try? reader.sentence() else { return }
  var writer = SentenceWriter()
  writer.write(sentence)
  var again = SentenceReader()
  let count = writer.withBytes { bytes in
    var ended = 0
    for at in 0..<bytes.count where again.receive(bytes[at]) { ended += 1 }
    return ended
  }
  guard sentence != .other else { return precondition(count == 0) }
  precondition(count == 1, "one whole sentence is written")
  guard let back = try? again.sentence() else { preconditionFailure("it is read back") }
  precondition(back == sentence, "to the same values")
}

private struct CheckedReceiver {
  private var receiver: GPSReceiver
  private var now = Instant(microseconds: 0)

  init(_ policy: ChecksumPolicy) { receiver = GPSReceiver(checksum: policy) }

  /// Each byte moves the clock, so that silence and stale dates are reached too.
  mutating func receive(_ byte: UInt8) {
    now = now + .milliseconds(Int64(byte))
    let before = receiver.fix
    let accepted = receiver.reader.accepted
    let changed = receiver.receive(byte, at: now)
    precondition(changed == (receiver.fix != before), "a change is told, and only a change")
    if receiver.reader.accepted != accepted { checkRoundTrip(receiver.reader) }
    guard let fix = receiver.fix else {
      precondition(before == nil, "the last place is kept")
      return
    }
    precondition((-900_000_000...900_000_000).contains(fix.latitude))
    precondition((-1_800_000_000...1_800_000_000).contains(fix.longitude))
    precondition(fix.utc == 0 || fix.utc >= 946_684_800 - 86_400, "no year before 2000")
    precondition((fix.mode == .noFix) == (fix.quality == .none))
    precondition(!changed || receiver.quality(at: now) == fix.quality)
  }

  mutating func receive(line: Slice<UnsafeBufferPointer<UInt8>>) {
    receive(UInt8(ascii: "$"))
    for byte in line { receive(byte) }
    let checksum = line.reduce(0 as UInt8, ^)
    receive(UInt8(ascii: "*"))
    receive(hexadecimal(checksum >> 4))
    receive(hexadecimal(checksum & 15))
    receive(UInt8(ascii: "\r"))
  }

  private func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}
