import FobBase
import TestSupport
import Testing

struct NameTests {
  @Test func `the top bit of a device id marks bench identity`() {
    #expect(DeviceID.bench(7).rawValue == 0x8000_0000_0000_0007)
    #expect(DeviceID.bench(7).isBench)
    #expect(!DeviceID(rawValue: 0x7FFF_FFFF_FFFF_FFFF).isBench)
  }

  @Test func `an event number is the boot counter over the number within the boot`() {
    let number = EventNumber(boot: 3, n: 17)
    #expect(number.rawValue == 0x0000_0003_0000_0011)
    #expect(number.boot == 3 && number.n == 17)
    #expect(EventNumber.none.rawValue == 0)
  }

  @Test func `event numbers of a later boot are greater`() {
    #expect(EventNumber(boot: 1, n: .max) < EventNumber(boot: 2, n: 1))
    #expect(EventNumber(boot: 2, n: 1) < EventNumber(boot: 2, n: 2))
    #expect(EventNumber.none < EventNumber(boot: 0, n: 1))
  }

  @Test func `an event number is told as boot and number, and read back`() {
    #expect(EventNumber(boot: 3, n: 17).text == "3.17")
    #expect(EventNumber.none.text == "0.0")
    var random = SeededGenerator(seed: 5)
    for _ in 0..<1_000 {
      let number = EventNumber(rawValue: random.next())
      #expect(EventNumber(text: number.text) == number)
    }
  }

  @Test(arguments: [
    "", ".", "3", "3.", ".17", "3.17.1", "3..17", "3,17", "3.-1", "3. 17", "3.4294967296",
    "4294967296.1", "3.1\u{0661}", "0x3.1",
  ])
  func `another text is no event number`(_ text: String) {
    #expect(EventNumber(text: text) == nil)
  }

  @Test func `a device id is told in sixteen digits of base 16`() {
    #expect(DeviceID.bench(0xAF9).text == "8000000000000af9")
    #expect(DeviceID(rawValue: 0).text == "0000000000000000")
    var random = SeededGenerator(seed: 6)
    for _ in 0..<1_000 {
      let device = DeviceID(rawValue: random.next())
      #expect(device.text.utf8.count == 16)
      #expect(UInt64(device.text, radix: 16) == device.rawValue)
    }
  }
}

struct LimitsTests {
  @Test func `the longest frame needs one COBS code byte and two delimiters`() {
    #expect(Limits.maxWireFrameSize == Limits.maxFrameSize + 3)
    #expect(Limits.maxPayloadSize == 245)
  }

  @Test func `two of the longest frames fit the transmit ring`() {
    #expect(Limits.transmitRing >= 2 * Limits.maxWireFrameSize)
  }
}
