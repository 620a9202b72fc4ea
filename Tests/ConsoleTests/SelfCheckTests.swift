import TestSupport
import Testing

@testable import Console

/// Under which names a server is reached that listens at every address, and what it says of itself.
struct SelfCheckTests {
  private func troubles(
    _ listen: String = "0.0.0.0:0", _ edit: (inout ConsoleConfiguration) -> Void
  ) async throws -> [String] {
    let address = try ListenAddress(listen, isTLS: false, isForced: true)
    let rig = try await Rig {
      $0.address = address
      edit(&$0)
    }
    let troubles = await rig.server.troubles()
    await rig.server.stop()
    return troubles
  }

  @Test(arguments: ["0.0.0.0:0", "[::]:0", "127.0.0.1:0"])
  func `it answers under each of its names, and finds nothing wrong`(listen: String) async throws {
    let found = try await troubles(listen) {
      $0.hosts = ["Core.example.org", "192.0.2.7", "2001:db8::1"]
      $0.publicURL = "https://alarm.example.org"
    }
    #expect(found == [])
  }

  @Test func `one that has no name for others says how to give it one`() async throws {
    let found = try await troubles { _ in }
    #expect(found.count == 1)
    #expect(found.first?.contains("--host NAME") == true)
  }

  @Test func `at every address, it answers by the one at which it was reached, and no other`()
    async throws
  {
    guard let own = Self.addressOfThisHost else { return }
    let rig = try await Rig {
      $0.address = try! ListenAddress("0.0.0.0:0", isTLS: false, isForced: true)
    }
    let port = rig.port
    func status(_ host: String, at address: String) async throws -> Int {
      try await blocking {
        let client = try RawClient(port: port, at: address)
        try client.send("GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        return try client.response().status
      }
    }
    #expect(try await status("\(own):\(port)", at: own) == 200)
    // Named by an address, but reached by another: then it is not known to be this host's.
    #expect(try await status(own, at: "127.0.0.1") == 421)
    #expect(try await status("192.0.2.7", at: own) == 421)
    #expect(try await status("0.0.0.0", at: "127.0.0.1") == 421)
    #expect(try await status("rebound.example.org", at: own) == 421)
    await rig.server.stop()
  }

  @Test func `a certificate for another name is said when it starts`() async throws {
    let folder = try ScratchDirectory()
    let made = try await TLSTests.run(
      """
      cd \(folder.path) && openssl req -x509 -newkey ec -nodes -days 2 \
      -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=core \
      -addext 'subjectAltName=DNS:core.example.org,DNS:*.alarm.example.org' \
      -keyout key.pem -out certificate.pem
      """)
    try #require(made.status == 0, "install openssl")
    func found(_ hosts: [String]) async throws -> [String] {
      try await troubles {
        $0.tls = ConsoleConfiguration.TLS(
          certificate: folder.path("certificate.pem"), key: folder.path("key.pem"))
        $0.hosts = hosts
      }
    }
    #expect(try await found(["core.example.org", "one.alarm.example.org"]) == [])
    let wrong = try await found(["core.example.org", "door.example.org"])
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("is not for door.example.org") == true)
  }

  /// One beside the loopback's, where there is one: a socket that sends nothing says which.
  private static var addressOfThisHost: String? {
    try? RawClient.addressTowards("192.0.2.1")
  }
}
