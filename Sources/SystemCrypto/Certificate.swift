import COpenSSL
import Glibc

/// What is wrong with a certificate, a key or the TLS of a peer.
public struct TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// A clause for people, with OpenSSL's reason where it has one.
  public let description: String

  init(_ description: String) { self.description = description }

  /// Adds OpenSSL's reason for the calling thread's last error, and clears that error.
  init(_ description: String, of _: Void) {
    let code = ERR_peek_last_error()
    let reason = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
    ERR_clear_error()
    self.init(reason.map { "\(description) (\($0))" } ?? description)
  }
}

/// An X.509 certificate. It never changes.
public final class Certificate: @unchecked Sendable {
  // Unchecked: OpenSSL counts references atomically, and nothing here writes to it.
  let x509: OpaquePointer

  private init(owning x509: OpaquePointer) { self.x509 = x509 }

  deinit { X509_free(x509) }

  /// The certificates of a PEM text, in its order; other PEM blocks are skipped.
  /// - Throws: if a certificate is damaged.
  public static func all(inPEM pem: some Collection<UInt8>) throws(TLSFailure) -> [Certificate] {
    ERR_clear_error()
    let bytes = Array(pem)
    guard let count = Int32(exactly: bytes.count), let input = BIO_new(BIO_s_mem()) else {
      throw TLSFailure("too long for certificates")
    }
    defer { BIO_free(input) }
    guard count == 0 || BIO_write(input, bytes, count) == count else {
      throw TLSFailure("no memory for certificates", of: ())
    }
    var found: [Certificate] = []
    while let x509 = PEM_read_bio_X509(input, nil, copenssl_no_password, nil) {
      found.append(Certificate(owning: x509))
    }
    guard copenssl_is_end_of_pem() != 0 else {
      throw TLSFailure("holds a damaged certificate", of: ())
    }
    ERR_clear_error()
    return found
  }

  /// True if one of its alternative names is this host's (RFC 9525). A star stands for one whole
  /// label, the first; the subject does not count.
  public func covers(_ name: String) -> Bool {
    // A leading full stop would mean every host below it to OpenSSL.
    guard !name.hasPrefix(".") else { return false }
    let flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
    return X509_check_host(x509, name, name.utf8.count, UInt32(flags), nil) == 1
  }

  /// Its end of validity has passed by the system's clock; the beginning is not checked.
  public var hasExpired: Bool { X509_cmp_current_time(X509_get0_notAfter(x509)) <= 0 }
}

/// SHA-256, HMAC and random bytes by the system's libcrypto.
public enum Digests {
  /// SHA-256 (FIPS 180-4), 32 bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256(bytes, bytes.count, &digest)
    return digest
  }

  /// HMAC-SHA256 (RFC 2104), 32 bytes.
  public static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    var count: UInt32 = 0
    let made = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, &count)
    precondition(made != nil && count == code.count, "libcrypto makes no HMAC-SHA256")
    return code
  }

  /// Compares in a time that does not depend on where the bytes differ.
  public static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
  }

  /// Unpredictable bytes; the process ends if the system has none.
  public static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system has no random bytes")
    return bytes
  }
}
