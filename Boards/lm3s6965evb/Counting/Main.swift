import CortexM
import FobBase
import NMEA
import WireProtocol

/// Not a keychain: does what a keychain does with bytes, counts the processor's instructions and
/// ends QEMU (scripts/count-board.sh).
@c(runKeychain)
public func runKeychain() {
  SystemControl.start()
  InstructionCount.start()
  var known = InstructionCount(units: 20_000)
  known.measure { pass_instructions(20_000) }
  known.report("instructions known beforehand")
  countFrames("random", zerosOf256: 0)
  countFrames("30 % zeros", zerosOf256: 77)
  countSentence("GGA", "$GPGGA,123519.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,*69\r\n")
  countSentence(
    "RMC", "$GPRMC,123519.00,A,4807.0380,N,01131.0000,E,0.022,084.4,230394,003.1,W,A*2D\r\n")
  countSentence("GSV", "$GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00*74\r\n")
  countEvents("EVENT, instructions from payload to wire:\n", size: EventRecord.size)
  countEvents("MERGED, the same:\n", size: EventRecord.maxSize)
  end_simulation()
}

/// An event as the link makes a frame of it: numbered, sealed where the keychain is paired, with
/// its CRC, and encoded.
private func countEvents(_ name: StaticString, size: Int) {
  Console.write(name)
  var link = DeviceLink()
  let unpaired = countEvent(&link, size: size)
  unpaired.report("  not paired")
  link.pair(with: PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908))
  let paired = countEvent(&link, size: size)
  paired.report("  paired")
}

private func countEvent(_ link: inout DeviceLink, size: Int) -> InstructionCount {
  var count = InstructionCount(units: rounds)
  var random = Bytes()
  for _ in 0..<rounds {
    var payload = FrameBody()
    for _ in 0..<size { payload.append(random.next(zerosOf256: 77)) }
    let now = Instant(microseconds: 1_000_000)
    payload.withBytesInPlace { payload in
      count.measure {
        var body = FrameBody()
        link.begin(&body, .event, at: now)
        body.append(payload)
        link.seal(&body, at: now)
        body.withWireBytes { _ in }
      }
    }
  }
  return count
}

private let rounds = 64

/// Bodies of 12 to 60 bytes: CRC, encoding with its CRC, decoding with its CRC, by the byte of body
/// and CRC.
private func countFrames(_ kind: StaticString, zerosOf256 zeros: UInt32) {
  var crc = InstructionCount(units: 0)
  var encode = InstructionCount(units: 0)
  var decode = InstructionCount(units: 0)
  var random = Bytes()
  var decoder = FrameDecoder()
  var whole = 0
  for round in 0..<rounds {
    var source = FrameBody()
    for _ in 0..<12 + round % 49 { source.append(random.next(zerosOf256: zeros)) }
    let frameLength = source.count + 4
    crc.add(units: source.count)
    encode.add(units: frameLength)
    decode.add(units: frameLength)
    crc.measure { _ = source.checksum }
    source.withBytes { body in
      encode.measure {
        var frame = FrameBody()
        frame.append(body)
        frame.withWireBytes { _ in }
      }
    }
    source.withWireBytes { wire in
      var rest = wire
      decode.measure { if decoder.next(&rest) == .frame { whole += 1 } }
    }
  }
  precondition(whole == rounds)
  Console.write(kind)
  Console.write(", instructions a byte of body and CRC:\n")
  crc.report("  CRC-32C")
  encode.report("  encode")
  decode.report("  decode")
}

/// A sentence as it comes from the GPS port, a byte at a time, up to the position that it gives.
private func countSentence(_ name: StaticString, _ sentence: StaticString) {
  var receiver = GPSReceiver()
  var count = InstructionCount(units: rounds)
  for _ in 0..<rounds {
    count.measure {
      for place in 0..<sentence.utf8CodeUnitCount {
        _ = receiver.receive(sentence.utf8Start[place], at: Instant(microseconds: 0))
      }
    }
  }
  precondition(receiver.fieldErrors == 0 && receiver.reader.accepted == UInt32(rounds))
  Console.write("NMEA, instructions a sentence:\n")
  count.report(name)
}
