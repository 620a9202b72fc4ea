import Console
import Testing

struct ListenAddressTests {
  @Test(arguments: ["127.0.0.1:0", "127.9.9.9:80", "[::1]:8787", "localhost:1"])
  func `the loopback needs no TLS`(text: String) throws {
    _ = try ListenAddress(text, isTLS: false)
  }

  @Test(arguments: ["0.0.0.0:80", "[::]:80", "192.0.2.1:80", "alarm.example.org:80"])
  func `what other hosts reach needs TLS, or is forced`(text: String) throws {
    #expect(throws: ListenAddress.Refusal.self) { try ListenAddress(text, isTLS: false) }
    _ = try ListenAddress(text, isTLS: true)
    _ = try ListenAddress(text, isTLS: false, isForced: true)
  }

  @Test(arguments: [
    "", "8787", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "[::1:80", "a:b",
  ])
  func `what is no address is refused with a hint`(text: String) {
    let refusal = #expect(throws: ListenAddress.Refusal.self) {
      try ListenAddress(text, isTLS: true)
    }
    #expect(refusal?.description.contains("HOST:PORT") == true)
  }
}
