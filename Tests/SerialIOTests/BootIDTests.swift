import Testing

@testable import SerialIO

@Suite struct BootIDTests {
  @Test func `a UUID is folded by XOR of its halves, to 63 bits`() {
    let text = "00000000-0000-0001-8000-0000000000ff\n"
    #expect(BootID.fold(uuid: text.utf8) == 0x0000_0000_0000_00FE)
  }

  @Test(arguments: [
    "", "no UUID", "00000000-0000-0001-8000-0000000000f", "zz000000-0000-0001-8000-0000000000ff",
  ])
  func `what is no UUID is refused`(text: String) {
    #expect(BootID.fold(uuid: text.utf8) == nil)
  }
}
