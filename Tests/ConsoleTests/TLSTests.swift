import Console
import Foundation
import TestSupport
import Testing

/// TLS by a certificate and its key, as curl and openssl see it.
struct TLSTests {
  static func run(_ command: String) async throws -> (status: Int32, output: String) {
    try await blocking {
      let (status, output) = try Shell.run("{ \(command)\n} 2>/dev/null")
      return (status, String(decoding: output, as: UTF8.self))
    }
  }

  @Test func `with a certificate the same API speaks TLS, and its cookie is secure`() async throws {
    let folder = try ScratchDirectory()
    let made = try await Self.run(
      """
      cd \(folder.path) && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
      -addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem
      """)
    try #require(made.status == 0, "install openssl")
    let rig = try await Rig {
      $0.tls = ConsoleConfiguration.TLS(
        certificate: folder.path("certificate.pem"), key: folder.path("key.pem"))
    }
    let curl = "curl -si --cacert \(folder.path)/certificate.pem https://localhost:\(rig.port)"
    let answer = try await Self.run(
      """
      \(curl)/v1/session -H 'Content-Type: application/json' -d '{"code":"\(rig.code.text)"}'
      """)
    let plain = try await Self.run("curl -s http://localhost:\(rig.port)/healthz")
    await rig.server.stop()
    #expect(answer.output.hasPrefix("HTTP/1.1 200"), "curl is needed")
    #expect(answer.output.contains("Max-Age=43200; Secure"))
    #expect(plain.status != 0)
  }

  @Test func `a certificate that cannot be read is an error when it starts`() async throws {
    await #expect(throws: (any Error).self) {
      _ = try await Rig {
        $0.tls = ConsoleConfiguration.TLS(certificate: "/nonexistent", key: "/nonexistent")
      }
    }
  }
}
