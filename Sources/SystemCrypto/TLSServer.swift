import COpenSSL

/// The certificates and the key of a server for TLS 1.2 and 1.3. Any thread may make sessions from
/// it.
public final class TLSServer: @unchecked Sendable {
  // Unchecked: nothing changes the context after init, and any thread may then call SSL_new.
  let context: OpaquePointer

  /// - Parameters:
  ///   - chain: the server's own certificate, then those that lead to its authority.
  ///   - key: PEM without a password.
  /// - Throws: if the chain is empty, or a certificate or the key cannot be used.
  public init(chain: [Certificate], key: UnsafeRawBufferPointer) throws(TLSFailure) {
    ERR_clear_error()
    guard let leaf = chain.first else { throw TLSFailure("there is no certificate") }
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw TLSFailure("OpenSSL is out of order", of: ())
    }
    self.context = context
    guard copenssl_set_rules(context) != 0 else {
      throw TLSFailure("OpenSSL knows no TLS 1.2", of: ())
    }
    copenssl_speak_http1(context)
    guard SSL_CTX_use_certificate(context, leaf.x509) == 1 else {
      throw TLSFailure("the certificate cannot be used", of: ())
    }
    for certificate in chain.dropFirst() {
      guard copenssl_add_to_chain(context, certificate.x509) != 0 else {
        throw TLSFailure("the certificates after the first cannot be used", of: ())
      }
    }
    let privateKey = try Self.privateKey(key)
    defer { EVP_PKEY_free(privateKey) }
    guard SSL_CTX_use_PrivateKey(context, privateKey) == 1,
      SSL_CTX_check_private_key(context) == 1
    else { throw TLSFailure("the key is not that of the certificate", of: ()) }
  }

  deinit { SSL_CTX_free(context) }

  private static func privateKey(
    _ pem: UnsafeRawBufferPointer
  ) throws(TLSFailure) -> OpaquePointer {
    guard let count = Int32(exactly: pem.count),
      let input = BIO_new_mem_buf(pem.baseAddress ?? UnsafeRawPointer(bitPattern: 1), count)
    else { throw TLSFailure("the key is too long") }
    defer { BIO_free(input) }
    guard let key = PEM_read_bio_PrivateKey(input, nil, copenssl_no_password, nil) else {
      throw TLSFailure("the key is no PEM file, or has a password: give it without one", of: ())
    }
    return key
  }
}

/// The server's end of one connection. Received bytes go in by `take`, bytes to send come out by
/// `takeOutput`; no call waits. It belongs to one thread at a time.
public final class TLSSession {
  /// The plain text of one record, in bytes (RFC 8446, 5.1).
  private static let record = 16_384
  /// The longest ClientHello that is taken, in bytes. OpenSSL takes 131,396 and makes room for what
  /// the first bytes announce.
  private static let maxHello = 16_384
  /// Heads of a record (RFC 8446, 5.1) and of the handshake message in it (RFC 8446, 4).
  private static let helloHead = 9
  private static let (handshake, clientHello): (UInt8, UInt8) = (22, 1)

  private let ssl: OpaquePointer
  /// The session owns both and frees them.
  private let (input, output): (OpaquePointer, OpaquePointer)
  /// The peer has said that it sends no more.
  public private(set) var hasEnded = false
  /// The handshake has been completed once: `write` may be called.
  public private(set) var isEstablished = false
  /// The connection's first bytes, until they are as many as both heads.
  private var firstBytes: [UInt8]? = []
  private var hasFailed = false
  private var hasClosed = false

  /// A session before its handshake; throws only if there is no memory.
  public init(_ server: TLSServer) throws(TLSFailure) {
    ERR_clear_error()
    guard let ssl = SSL_new(server.context) else { throw TLSFailure("no memory for TLS", of: ()) }
    self.ssl = ssl
    guard let input = BIO_new(BIO_s_mem()) else {
      SSL_free(ssl)
      throw TLSFailure("no memory for TLS", of: ())
    }
    guard let output = BIO_new(BIO_s_mem()) else {
      BIO_free(input)
      SSL_free(ssl)
      throw TLSFailure("no memory for TLS", of: ())
    }
    copenssl_expect_more(input)
    copenssl_expect_more(output)
    SSL_set_bio(ssl, input, output)
    SSL_set_accept_state(ssl)
    (self.input, self.output) = (input, output)
  }

  deinit { SSL_free(ssl) }

  /// Takes bytes that came over the wire. There may be output afterwards, even if it throws: then
  /// the output tells the peer why. `plain` gets the decrypted bytes, part by part.
  public func take(
    _ bytes: UnsafeRawBufferPointer, plain: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) {
    guard !hasFailed, !hasEnded else { return }
    guard let held = firstBytes else { return try takeChecked(bytes, plain: plain) }
    let first = held + bytes
    guard Self.mayBegin(first) else { throw fail("the peer's TLS is wrong") }
    let isWhole = first.count >= Self.helloHead || (first.first ?? Self.handshake) != Self.handshake
    firstBytes = isWhole ? nil : first
    guard isWhole else { return }
    var failure: TLSFailure?
    first.withUnsafeBytes { first in
      do throws(TLSFailure) { try takeChecked(first, plain: plain) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Whether a ClientHello of a usual size may begin so; it stands in one record at its beginning.
  private static func mayBegin(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= helloHead, bytes[0] == handshake else { return true }
    let record = Int(bytes[3]) << 8 | Int(bytes[4])
    let message = Int(bytes[6]) << 16 | Int(bytes[7]) << 8 | Int(bytes[8])
    return record >= 4 && (bytes[5] != clientHello || message <= maxHello)
  }

  private func takeChecked(
    _ bytes: UnsafeRawBufferPointer, plain: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) {
    var rest = bytes[...]
    repeat {
      // Works in parts, so that records are not in memory twice.
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.record))
      rest = rest.dropFirst(part.count)
      if !part.isEmpty, BIO_write(input, part.baseAddress, Int32(part.count)) != part.count {
        throw fail("no memory for TLS")
      }
      try read(plain)
      if !isEstablished { isEstablished = SSL_is_init_finished(ssl) != 0 }
    } while !rest.isEmpty && !hasEnded
  }

  private func read(_ plain: (UnsafeRawBufferPointer) -> Void) throws(TLSFailure) {
    var failure: TLSFailure?
    withUnsafeTemporaryAllocation(byteCount: Self.record, alignment: 1) { room in
      while true {
        var count = 0
        ERR_clear_error()
        if SSL_read_ex(ssl, room.baseAddress, room.count, &count) == 1 {
          plain(UnsafeRawBufferPointer(rebasing: room[..<count]))
          continue
        }
        switch SSL_get_error(ssl, 0) {
        case SSL_ERROR_WANT_READ: return
        case SSL_ERROR_ZERO_RETURN:
          hasEnded = true
          return
        default:
          failure = fail("the peer's TLS is wrong")
          return
        }
      }
    }
    if let failure { throw failure }
  }

  /// Encrypts bytes into the output; throws before the handshake is complete, and after `close`.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) {
    guard !hasFailed, !hasClosed, isEstablished else {
      throw TLSFailure("nothing can be said by this TLS session")
    }
    guard !bytes.isEmpty else { return }
    var count = 0
    ERR_clear_error()
    guard SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1, count == bytes.count
    else { throw fail("nothing can be said by this TLS session") }
  }

  /// Adds to the output that no more bytes come.
  public func close() {
    guard !hasFailed, !hasClosed, isEstablished else { return }
    hasClosed = true
    ERR_clear_error()
    if SSL_shutdown(ssl) < 0 { ERR_clear_error() }
  }

  /// How many bytes of output wait to be taken.
  public var outputCount: Int { Int(BIO_ctrl_pending(output)) }

  /// - Returns: how many bytes of output are now in the buffer; 0 if none waits.
  public func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    max(0, Int(BIO_read(output, buffer.baseAddress, Int32(clamping: buffer.count))))
  }

  private func fail(_ words: String) -> TLSFailure {
    hasFailed = true
    return TLSFailure(words, of: ())
  }
}
