import COpenSSL

/// Bytes sealed by a passphrase: scrypt (RFC 7914) makes the key, AES-256-GCM (NIST SP 800-38D)
/// encrypts and authenticates.
public struct PassphraseSeal: Equatable, Sendable {
  /// 16 random bytes.
  public var salt: [UInt8]
  /// 12 random bytes.
  public var nonce: [UInt8]
  /// As long as what was sealed, and 16 bytes of the authentication tag behind it.
  public var sealed: [UInt8]

  private static let saltSize = 16
  private static let nonceSize = 12
  private static let tagSize = 16

  /// Takes the parts of a seal that was kept.
  /// - Parameters:
  ///   - salt: 16 bytes.
  ///   - nonce: 12 bytes.
  ///   - sealed: 16 bytes or more.
  /// - Returns: nil where a length is another.
  public init?(salt: [UInt8], nonce: [UInt8], sealed: [UInt8]) {
    guard salt.count == Self.saltSize, nonce.count == Self.nonceSize,
      sealed.count >= Self.tagSize
    else { return nil }
    (self.salt, self.nonce, self.sealed) = (salt, nonce, sealed)
  }

  /// Seals. It takes some 100 ms and 32 MiB, by intent.
  /// - Parameters:
  ///   - bytes: any number.
  ///   - passphrase: UTF-8 by convention.
  public init(_ bytes: [UInt8], by passphrase: [UInt8]) {
    salt = Digests.random(Self.saltSize)
    nonce = Digests.random(Self.nonceSize)
    let key = Self.key(passphrase, salt)
    sealed = [UInt8](repeating: 0, count: bytes.count + Self.tagSize)
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var count: Int32 = 0
    let isDone = sealed.withUnsafeMutableBufferPointer { out in
      EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        && EVP_EncryptUpdate(context, out.baseAddress, &count, bytes, Int32(bytes.count)) == 1
        && EVP_EncryptFinal_ex(context, out.baseAddress! + bytes.count, &count) == 1
        && EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), out.baseAddress! + bytes.count) == 1
    }
    precondition(isDone, "libcrypto makes no AES-256-GCM")
  }

  /// What was sealed.
  /// - Returns: nil where the passphrase is another, or a bit has changed.
  public func open(by passphrase: [UInt8]) -> [UInt8]? {
    let key = Self.key(passphrase, salt)
    let size = sealed.count - Self.tagSize
    var tag = Array(sealed[size...])
    var bytes = [UInt8](repeating: 0, count: size + Self.tagSize)
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var count: Int32 = 0
    let isRight = bytes.withUnsafeMutableBufferPointer { out in
      EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        && EVP_DecryptUpdate(context, out.baseAddress, &count, sealed, Int32(size)) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), &tag) == 1
        && EVP_DecryptFinal_ex(context, out.baseAddress! + size, &count) == 1
    }
    return isRight ? Array(bytes.prefix(size)) : nil
  }

  /// N 2^15, r 8, p 1, as RFC 7914 and OWASP have it for what is opened now and then.
  private static func key(_ passphrase: [UInt8], _ salt: [UInt8]) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: 32)
    let isMade = passphrase.withUnsafeBufferPointer { words in
      words.withMemoryRebound(to: CChar.self) {
        EVP_PBE_scrypt(
          $0.baseAddress, $0.count, salt, salt.count, 1 << 15, 8, 1, 64 << 20, &key, key.count)
      }
    }
    precondition(isMade == 1, "libcrypto makes no scrypt")
    return key
  }
}
