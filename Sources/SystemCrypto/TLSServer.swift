import COpenSSL

/// What a server needs for TLS 1.2 and 1.3: its certificates and the key of the first. Sessions of
/// any thread are made of it.
public final class TLSServer: @unchecked Sendable {
  // Unchecked: nothing changes it after init, and SSL_new may then be called by any thread.
  let context: OpaquePointer

  /// - Parameters:
  ///   - chain: its own certificate, then those that lead to its authority.
  ///   - key: PEM without a password.
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

/// One end of one connection, the server's: what comes over the wire goes in, what is to go over it
/// comes out, and it waits for nothing. It belongs to one thread at a time.
public final class TLSSession {
  /// Bytes of a record's plain text (RFC 8446, 5.1).
  private static let record = 16_384

  private let ssl: OpaquePointer
  /// Both belong to the session.
  private let (input, output): (OpaquePointer, OpaquePointer)
  /// The peer has said that it sends no more.
  public private(set) var hasEnded = false
  private var hasFailed = false
  private var hasClosed = false

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

  public var isEstablished: Bool { SSL_is_init_finished(ssl) != 0 }

  /// Takes what came over the wire. There may be output then, even where it throws: why it is over.
  /// - Parameter plain: is given what the peer has said, part by part.
  public func take(
    _ bytes: UnsafeRawBufferPointer, plain: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) {
    guard !hasFailed, !hasEnded else { return }
    var rest = bytes[...]
    repeat {
      // In parts, so that no number of records stands in memory twice.
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.record))
      rest = rest.dropFirst(part.count)
      if !part.isEmpty, BIO_write(input, part.baseAddress, Int32(part.count)) != part.count {
        throw fail("no memory for TLS")
      }
      try read(plain)
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

  /// Makes output of what is to be said.
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

  /// Makes output that says that no more comes.
  public func close() {
    guard !hasFailed, !hasClosed, isEstablished else { return }
    hasClosed = true
    ERR_clear_error()
    if SSL_shutdown(ssl) < 0 { ERR_clear_error() }
  }

  /// Bytes of output that wait to be taken.
  public var outputCount: Int { Int(BIO_ctrl_pending(output)) }

  /// - Returns: how many bytes of the output are now in the buffer.
  public func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    max(0, Int(BIO_read(output, buffer.baseAddress, Int32(clamping: buffer.count))))
  }

  private func fail(_ words: String) -> TLSFailure {
    hasFailed = true
    return TLSFailure(words, of: ())
  }
}
