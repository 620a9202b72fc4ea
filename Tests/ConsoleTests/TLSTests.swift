import Console
import FobBase
import Foundation
import Sinks
import TestSupport
import Testing

/// TLS by a certificate and its key, as curl, openssl and Python see it.
struct TLSTests {
  static func run(_ command: String) async throws -> (status: Int32, output: String) {
    try await blocking {
      let (status, output) = try Shell.run("{ \(command)\n} 2>/dev/null")
      return (status, String(decoding: output, as: UTF8.self))
    }
  }

  /// Makes NAME.pem and NAME.key for localhost.
  private static func make(_ name: String, in folder: ScratchDirectory) async throws {
    let made = try await Self.run(
      """
      cd \(folder.path) && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
      -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout \(name).key -out \(name).pem
      """)
    try #require(made.status == 0, "install openssl")
  }

  /// Runs a test against a console with TLS, and stops it whatever happens.
  /// - Parameter patience: with strangers; nil: the usual.
  private func withTLS(
    patience: Interval? = nil, _ body: (Rig, ScratchDirectory) async throws -> Void
  ) async throws {
    let folder = try ScratchDirectory()
    try await Self.make("own", in: folder)
    func edit(_ configuration: inout ConsoleConfiguration) {
      configuration.tls = ConsoleConfiguration.TLS(
        certificate: folder.path("own.pem"), key: folder.path("own.key"))
      if let patience { configuration.patience = patience }
    }
    try await Rig.run(edit: edit) { rig in
      try await body(rig, folder)
      let after = try await Self.run(
        "curl -s -m 10 --cacert \(folder.path)/own.pem https://localhost:\(rig.port)/healthz -i")
      #expect(after.output.hasPrefix("HTTP/1.1 200"), "it answers afterwards, too")
    }
  }

  @Test func `with a certificate the same API speaks TLS, and its cookie is secure`() async throws {
    try await withTLS { rig, folder in
      let curl = "curl -si --cacert \(folder.path)/own.pem https://localhost:\(rig.port)"
      let answer = try await Self.run(
        """
        \(curl)/v1/session -H 'Content-Type: application/json' -d '{"code":"\(rig.code.text)"}'
        """)
      let plain = try await Self.run("curl -s http://localhost:\(rig.port)/healthz")
      #expect(answer.output.hasPrefix("HTTP/1.1 200"), "curl is needed")
      #expect(answer.output.contains("Max-Age=43200; Secure"))
      #expect(plain.status != 0)
    }
  }

  @Test func `a certificate that cannot be read is an error when it starts`() async throws {
    await #expect(throws: (any Error).self) {
      _ = try await Rig {
        $0.tls = ConsoleConfiguration.TLS(certificate: "/nonexistent", key: "/nonexistent")
      }
    }
  }

  @Test func `files that do not belong together are refused by name`() async throws {
    let folder = try ScratchDirectory()
    try await Self.make("own", in: folder)
    try await Self.make("other", in: folder)
    for (certificate, key, words) in [
      ("own.pem", "other.key", "other.key: the key is not that of the certificate"),
      ("own.key", "own.key", "own.key: it has no PEM certificate"),
      ("own.pem", "own.pem", "own.pem: "),
    ] {
      let error = await #expect(throws: (any Error).self) {
        _ = try await Rig {
          $0.tls = ConsoleConfiguration.TLS(
            certificate: folder.path(certificate), key: folder.path(key))
        }
      }
      #expect("\(error!)".contains(words), "\(error!)")
    }
  }

  @Test func `TLS 1.2 and 1.3 with http/1.1, and nothing older`() async throws {
    try await withTLS { rig, _ in
      func client(_ options: String) async throws -> String {
        try await Self.run(
          "openssl s_client -connect 127.0.0.1:\(rig.port) \(options) </dev/null 2>&1"
        ).output
      }
      let newest = try await client("-alpn h2,http/1.1")
      #expect(newest.contains("TLSv1.3") && newest.contains("ALPN protocol: http/1.1"))
      #expect(try await client("-tls1_2 -alpn h2").contains("No ALPN negotiated"))
      #expect(try await client("-tls1_2").contains("Protocol  : TLSv1.2"))
      let old = try await client("-tls1_1 -cipher DEFAULT@SECLEVEL=0")
      #expect(old.contains("alert protocol version"))
    }
  }

  @Test func `what is no handshake is let go of, and told why`() async throws {
    try await withTLS { rig, _ in
      let port = rig.port
      func answer(_ text: String) async throws -> [UInt8] {
        try await blocking {
          let client = try RawClient(port: port)
          try client.send(text)
          return try client.receive()
        }
      }
      #expect(try await answer("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") == [])
      // A fatal alert (RFC 8446, 6).
      let alert = try await answer("\u{16}\u{3}\u{1}\u{0}\u{4}aaaa")
      #expect(alert.first == 21 && alert.dropFirst(5).first == 2, "\(alert)")
    }
  }

  @Test func `a handshake that is cut or slow is let go of`() async throws {
    try await withTLS(patience: .seconds(3)) { rig, _ in
      let port = rig.port
      let hello = "\u{16}\u{3}\u{1}\u{1}\u{0}\u{1}\u{0}\u{0}\u{7c}\u{3}\u{3}"
      let silent = try await blocking {
        let client = try RawClient(port: port)
        try client.send(hello)
        return try client.receive()
      }
      #expect(silent == [])
      try await blocking {
        let client = try RawClient(port: port)
        try client.send(hello)
        client.reset()
      }
    }
  }

  private static let python = """
    import socket, ssl, sys
    port, file, what = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    context = ssl.create_default_context(cafile=file)
    raw = socket.create_connection(("127.0.0.1", port), 10)
    head = "GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1:%d\\r\\nConnection: close\\r\\n\\r\\n"
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname="localhost")

    def send():
        if outgoing.pending:
            raw.sendall(outgoing.read())

    def step(call):
        while True:
            try:
                done = call()
                send()
                return done
            except ssl.SSLWantReadError:
                send()
                more = raw.recv(65536)
                if more:
                    incoming.write(more)
                else:
                    incoming.write_eof()

    step(tls.do_handshake)
    request = (head % port).encode()
    if what == "crumbs":
        for byte in request:
            tls.write(bytes([byte]))
        send()
    else:
        step(lambda: tls.write(request))
    if what == "half":
        try:
            tls.unwrap()
        except ssl.SSLWantReadError:
            pass
        send()
        raw.shutdown(socket.SHUT_WR)
    answer = b""
    ended = "cut"
    try:
        while True:
            part = step(lambda: tls.read(65536))
            if not part:
                ended = "closed"
                break
            answer += part
    except ssl.SSLZeroReturnError:
        ended = "closed"
    except ssl.SSLError as error:
        ended = repr(error)
    print(ended, answer.split(b"\\r\\n")[0].decode(), len(answer))
    """

  @Test(arguments: ["plain", "crumbs", "half"])
  func `requests in one record, a record a byte, or before a close are answered to the end`(
    what: String
  ) async throws {
    try await withTLS { rig, folder in
      try Self.python.write(
        toFile: folder.path("client.py"), atomically: true, encoding: .utf8)
      let answer = try await Self.run(
        "python3 \(folder.path)/client.py \(rig.port) \(folder.path)/own.pem \(what) 2>&1")
      #expect(answer.output.hasPrefix("closed HTTP/1.1 200"), "\(answer.output)")
    }
  }

  @Test func `a large answer and a large body come through whole`() async throws {
    try await withTLS { rig, folder in
      let curl = "curl -s -m 20 --cacert \(folder.path)/own.pem https://localhost:\(rig.port)"
      let document = try await Self.run("\(curl)/v1/openapi.json")
      #expect(document.output.utf8.count > 50_000 && document.output.hasSuffix("}"))
      let large = try await Self.run(
        """
        head -c 3000000 /dev/zero | \(curl)/v1/session -H 'Content-Type: application/json' \
        -H 'Expect:' --data-binary @- -o /dev/null -w '%{http_code}'
        """)
      #expect(large.output.hasPrefix("4"), "\(large.output)")
    }
  }

  @Test func `a client that wants a second handshake gets none`() async throws {
    try await withTLS { rig, _ in
      let answer = try await Self.run(
        """
        (sleep 0.3; echo R; sleep 0.5) | timeout 10 openssl s_client -tls1_2 \
        -connect 127.0.0.1:\(rig.port) 2>&1
        """)
      #expect(answer.output.contains("no renegotiation"), "\(answer.output)")
    }
  }

  @Test func `a bridge believes the authorities that it is given, and no others`() async throws {
    try await withTLS { rig, folder in
      try await Self.make("other", in: folder)
      func outcome(_ caFile: String?) async throws -> RemoteCore.Outcome {
        let address = try RemoteCoreAddress(
          "https://localhost:\(rig.port)", caFile: caFile.map { folder.path($0) })
        let core = try RemoteCore(address, token: "none")
        defer { core.close() }
        return await withCheckedContinuation { continuation in
          core.post("/v1/feed", Array("{}".utf8), within: .seconds(10)) {
            continuation.resume(returning: $0)
          }
        }
      }
      func kind(_ outcome: RemoteCore.Outcome) -> RemoteCoreFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
      }
      #expect(try await kind(outcome("own.pem"))?.kind == .token)
      for stranger in ["other.pem", nil] {
        let failure = try await kind(outcome(stranger))
        #expect(failure?.kind == .unreachable)
        #expect(failure?.description.contains("is not trusted") == true, "\(failure!)")
      }
      await #expect(throws: RemoteCoreFailure.self) { try await outcome("own.key") }
    }
  }
}
