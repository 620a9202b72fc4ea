import FobBase
import NMEA

/// libFuzzer entry: whatever bytes come, the receiver must not trap and must state no impossible
/// place. The bytes go in twice: as they are, and with each line framed as a sentence with the
/// right checksum, since a fuzzer seldom hits that by itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: data, count: count)
  var raw = CheckedReceiver()
  for byte in bytes { raw.receive(byte) }

  var framed = CheckedReceiver()
  for line in bytes.split(separator: UInt8(ascii: "\n")) { framed.receive(line: line) }
  return 0
}

private struct CheckedReceiver {
  private var receiver = GPSReceiver()
  private var now = Instant(microseconds: 0)

  /// Each byte moves the clock, so that silence and stale dates are reached too.
  mutating func receive(_ byte: UInt8) {
    now = now + .milliseconds(Int64(byte))
    let before = receiver.fix
    let changed = receiver.receive(byte, at: now)
    precondition(changed == (receiver.fix != before), "a change is told, and only a change")
    guard let fix = receiver.fix else {
      precondition(before == nil, "the last place is kept")
      return
    }
    precondition((-900_000_000...900_000_000).contains(fix.latitude))
    precondition((-1_800_000_000...1_800_000_000).contains(fix.longitude))
    precondition(fix.utc == 0 || fix.utc >= 946_684_800 - 86_400, "no year before 2000")
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
