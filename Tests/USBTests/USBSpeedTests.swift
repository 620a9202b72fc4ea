import Testing
import USB

@Suite struct USBSpeedTests {
  @Test func `bulk packets are as long as the standard says`() {
    #expect(USBSpeed.full.bulkPacket == 64)
    #expect(USBSpeed.high.bulkPacket == 512)
  }
}
