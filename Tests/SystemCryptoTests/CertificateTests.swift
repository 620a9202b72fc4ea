import Foundation
import TestSupport
import Testing

@testable import SystemCrypto

/// Files as people give them: right, of another, cut, locked, or no certificates at all.
struct CertificateTests {
  private let folder: ScratchDirectory

  init() throws {
    folder = try ScratchDirectory()
    try make(
      "own", names: "DNS:a.example.org,DNS:*.b.example.org", "-subj /CN=subject.example.org")
  }

  private func make(_ name: String, names: String, _ more: String) throws {
    let made = try Shell.run(
      """
      cd \(folder.path) && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
      -nodes -days 2 \(more) -addext 'subjectAltName=\(names)' -keyout \(name).key \
      -out \(name).pem 2>/dev/null
      """)
    try #require(made.status == 0, "install openssl")
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  private func server(_ chain: [Certificate], key: [UInt8]) throws -> TLSServer {
    try key.withUnsafeBytes { try TLSServer(chain: chain, key: $0) }
  }

  @Test(arguments: [
    ("A.example.org", true), ("one.b.example.org", true), ("b.example.org", false),
    ("one.two.b.example.org", false), (".b.example.org", false), ("c.example.org", false),
    ("subject.example.org", false), ("", false),
  ])
  func `a star stands for one label, and the subject for nothing`(
    name: String, isCovered: Bool
  ) throws {
    let own = try #require(try Certificate.all(inPEM: bytes("own.pem")).first)
    #expect(own.covers(name) == isCovered)
    #expect(!own.hasExpired)
  }

  @Test func `a file may hold many, and words between them`() throws {
    let own = try bytes("own.pem")
    let chain = try Certificate.all(inPEM: own + Array("\nits authority:\n".utf8) + own)
    #expect(chain.count == 2)
    _ = try server(chain, key: bytes("own.key"))
  }

  @Test func `what is no certificate is none, and what is damaged an error`() throws {
    #expect(try Certificate.all(inPEM: []).isEmpty)
    #expect(try Certificate.all(inPEM: Array("hello\n".utf8)).isEmpty)
    let own = try bytes("own.pem")
    #expect(throws: TLSFailure.self) { try Certificate.all(inPEM: own.prefix(own.count / 2)) }
    #expect(throws: TLSFailure.self) {
      try Certificate.all(inPEM: own + own.prefix(own.count / 2))
    }
    // Any byte of it may be another.
    for at in stride(from: 0, to: own.count, by: 7) {
      var spoilt = own
      spoilt[at] ^= 0x15
      _ = try? server(Certificate.all(inPEM: spoilt), key: bytes("own.key"))
    }
  }

  @Test func `a key that is another's, locked or none is said in words`() throws {
    try make("other", names: "DNS:other", "-subj /CN=other")
    let locked = try Shell.run(
      "cd \(folder.path) && openssl ec -in own.key -aes256 -passout pass:x -out locked.key 2>&1")
    try #require(locked.status == 0)
    let chain = try Certificate.all(inPEM: bytes("own.pem"))
    func refusal(_ key: [UInt8]) -> String {
      do {
        _ = try server(chain, key: key)
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(try refusal(bytes("other.key")).hasPrefix("the key is not that of the certificate"))
    #expect(try refusal(bytes("locked.key")).contains("has a password"))
    #expect(refusal([]).hasPrefix("the key is no PEM file"))
    #expect(refusal(Array("hello".utf8)).hasPrefix("the key is no PEM file"))
    #expect(try refusal(bytes("own.key")) == "none")
    #expect(throws: TLSFailure("there is no certificate")) {
      try server([], key: bytes("own.key"))
    }
  }

  @Test func `a hello that announces more than 16 KB is refused before there is room for it`()
    throws
  {
    let server = try server(Certificate.all(inPEM: bytes("own.pem")), key: bytes("own.key"))
    /// The first bytes of a record of 4 whose message is so long, a byte at a time.
    func begins(_ message: Int) throws {
      let session = try TLSSession(server)
      let head = [22, 3, 1, 0, 4, 1, message >> 16, message >> 8 & 255, message & 255]
      for byte in head {
        try [UInt8(byte)].withUnsafeBytes { try session.take($0) { _ in } }
      }
    }
    #expect(throws: TLSFailure.self) { try begins(131_396) }
    #expect(throws: TLSFailure.self) { try begins(16_385) }
    #expect(throws: Never.self) { try begins(16_384) }
  }

  @Test func `whatever comes in place of a handshake, a session ends or waits`() throws {
    let server = try server(Certificate.all(inPEM: bytes("own.pem")), key: bytes("own.key"))
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<(Soak.isOn ? 100_000 : 500) {
      let session = try TLSSession(server)
      // As a hello begins, or not.
      var bytes: [UInt8] =
        Bool.random(using: &random) ? [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3] : []
      for _ in 0..<Int.random(in: 0...2_000, using: &random) {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      }
      var said = 0
      try? bytes.withUnsafeBytes { try session.take($0) { said += $0.count } }
      #expect(said == 0 && !session.isEstablished, "seed \(seed)")
      #expect(throws: TLSFailure.self) { try bytes.withUnsafeBytes { try session.write($0) } }
      session.close()
      try? bytes.withUnsafeBytes { try session.take($0) { said += $0.count } }
      #expect(session.outputCount < 1_024)
    }
  }
}
