import NMEA
import TestSupport
import Testing

struct CorruptInputTests {
  @Test(arguments: UInt64(1)...8)
  func `random bytes neither trap nor make a fix`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let receiver = FedReceiver()
    for _ in 0..<100_000 {
      #expect(!receiver.read([UInt8.random(in: 0...255, using: &random)]))
    }
    #expect(receiver.fix == nil)
  }

  @Test(arguments: UInt64(1)...8)
  func `random fields behind a right checksum stay on the globe`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let receiver = FedReceiver()
    let alphabet = Array(",,,,..0123456789NSEWAV-M ")
    for second in 0..<Int64(2_000) {
      let length = Int.random(in: 0...100, using: &random)
      let fields = String((0..<length).map { _ in alphabet.randomElement(using: &random)! })
      let address = ["GPGGA,", "GPRMC,"].randomElement(using: &random)!
      guard receiver.read(sentence(address + fields), seconds: second), let fix = receiver.fix
      else { continue }
      #expect((-900_000_000...900_000_000).contains(fix.latitude))
      #expect((-1_800_000_000...1_800_000_000).contains(fix.longitude))
    }
    #expect(receiver.skipped == 0)
  }

  @Test func `no change of one byte moves the position`() {
    let whole = gga()
    for (at, original) in whole.enumerated() {
      for byte in UInt8(0)...255 where byte != original {
        var changed = whole
        changed[at] = byte
        let receiver = FedReceiver()
        receiver.read(changed)
        if let fix = receiver.fix {
          #expect(fix.latitude == 105_000_000 && fix.longitude == 202_500_000, "\(at): \(byte)")
        }
      }
    }
  }

  @Test func `a sentence cut anywhere and followed by a whole one gives that one alone`() {
    let first = gga(at: "3000.0000,S,03000.0000,W")
    let second = gga()
    for end in 0..<first.count - 2 {
      let receiver = FedReceiver()
      receiver.read(first[..<end] + second)
      #expect(receiver.fix?.latitude == 105_000_000)
      #expect(receiver.reader.accepted == 1)
    }
  }
}
