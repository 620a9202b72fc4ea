import FobBase
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
}

struct LimitsTests {
  @Test func `the longest frame needs one COBS code byte and two delimiters`() {
    #expect(Limits.longestWireFrame == Limits.longestFrame + 3)
    #expect(Limits.longestPayload == 245)
  }

  @Test func `two of the longest frames fit the transmit ring`() {
    #expect(Limits.transmitRing >= 2 * Limits.longestWireFrame)
  }
}
