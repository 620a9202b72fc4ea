import Testing

@testable import Firmware

struct KeychainSizeTests {
  @Test func `the whole state of a keychain fits 4 KB of RAM`() {
    print("Keychain: \(MemoryLayout<Keychain>.size) bytes")
    #expect(MemoryLayout<Keychain>.size <= 4_096)
  }

  @Test func `the store is as large as its slots`() {
    #expect(EventStore.size == 64 + 65 * 68)
  }
}
