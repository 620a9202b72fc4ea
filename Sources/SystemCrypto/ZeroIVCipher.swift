import COpenSSL

/// AES (FIPS 197) in CBC mode (NIST SP 800-38A) from an initialization vector of zeros, without
/// padding, as ANSI/SIA DC-09 has it. The first 16 bytes have to be random, and nothing is
/// authenticated. It shows nothing of its key.
public struct ZeroIVCipher: Sendable, CustomStringConvertible, CustomReflectable {
  /// What is ciphered has a multiple of so many bytes.
  public static let blockSize = 16

  private let key: [UInt8]

  /// - Parameter key: 16, 24 or 32 bytes.
  /// - Returns: nil where the key is of another length.
  public init?(key: [UInt8]) {
    guard [16, 24, 32].contains(key.count) else { return nil }
    self.key = key
  }

  /// - Parameter bytes: whole blocks, or it traps.
  public func encrypt(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count.isMultiple(of: Self.blockSize))
    return run(bytes, encrypts: true)
  }

  /// - Returns: as many bytes, whatever the key; nil where they are not whole blocks.
  public func decrypt(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.count.isMultiple(of: Self.blockSize) ? run(bytes, encrypts: false) : nil
  }

  private func run(_ bytes: [UInt8], encrypts: Bool) -> [UInt8] {
    let cipher =
      switch key.count {
      case 16: EVP_aes_128_cbc()
      case 24: EVP_aes_192_cbc()
      default: EVP_aes_256_cbc()
      }
    let start = [UInt8](repeating: 0, count: Self.blockSize)
    var out = [UInt8](repeating: 0, count: bytes.count + Self.blockSize)
    var count: Int32 = 0
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let isDone =
      EVP_CipherInit_ex(context, cipher, nil, key, start, encrypts ? 1 : 0) == 1
      && EVP_CIPHER_CTX_set_padding(context, 0) == 1
      && EVP_CipherUpdate(context, &out, &count, bytes, Int32(bytes.count)) == 1
    precondition(isDone && Int(count) == bytes.count, "libcrypto makes no AES-CBC")
    return Array(out.prefix(bytes.count))
  }

  public var description: String { "(secret)" }
  /// Shows a debugger or `dump` nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
