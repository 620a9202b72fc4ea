import COpenSSL

/// SHA-256 and what is made of it, by the system's libcrypto.
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

  /// Takes as long wherever they differ.
  public static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
  }

  /// Bytes that nobody can guess. There is no way on without them.
  public static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system has no random bytes")
    return bytes
  }
}
