/// BLAKE2s with a digest of 32 bytes (RFC 7693). It takes the same time for all keys and messages
/// of one length, and allocates nothing.
public struct BLAKE2s: Sendable {
  fileprivate private(set) var chain = initial
  /// In little endian, as the message has them.
  private var block = InlineArray<16, UInt32>(repeating: 0)
  /// Bytes in `block`, 0 to 64. The last block is compressed at the end, for it is marked.
  private var filled = 0
  /// Bytes compressed; a message of this protocol is far shorter than 2^32.
  private var count: UInt32 = 0

  /// Without a key.
  public init() { begin(keySize: 0, person: 0) }

  /// Goes on behind the key block of `key`. The message must have a byte at least.
  @inline(never)
  public init(_ key: SealKey) {
    chain = key.chain
    count = 64
  }

  /// Behind the key block.
  fileprivate init(keySize: Int, words: InlineArray<8, UInt32>, person: UInt64) {
    begin(keySize: keySize, person: person)
    for i in words.indices { block[i] = words[i].littleEndian }
    count = 64
    compress(isLast: false)
  }

  private mutating func begin(keySize: Int, person: UInt64) {
    // Parameter block: digest 32, key, fanout 1, depth 1; the person fills its last words.
    chain[0] ^= 0x0101_0020 ^ UInt32(truncatingIfNeeded: keySize) << 8
    chain[6] ^= UInt32(truncatingIfNeeded: person)
    chain[7] ^= UInt32(truncatingIfNeeded: person >> 32)
  }

  /// Adds bytes to the message.
  @inline(never)
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if filled == 64 {
        count &+= 64
        closeBlock(isLast: false)
      }
      append(byte)
    }
  }

  /// The digest, as eight numbers in little endian.
  @inline(never)
  public mutating func finish() -> InlineArray<8, UInt32> {
    count &+= UInt32(truncatingIfNeeded: filled)
    closeBlock(isLast: true)
    return chain
  }

  private mutating func append(_ byte: UInt8) {
    let at = filled
    withUnsafeMutableBytes(of: &block) { $0[at] = byte }
    filled &+= 1
  }

  /// Fills the block with zeros and compresses it.
  private mutating func closeBlock(isLast: Bool) {
    while filled < 64 { append(0) }
    compress(isLast: isLast)
    filled = 0
  }

  private static let initial: InlineArray<8, UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]

  /// Which word of the block is next: sixteen numbers of four bits a round, the first lowest.
  private static let order: InlineArray<10, UInt64> = [
    0xFEDC_BA98_7654_3210, 0x357B_20C1_6DF9_84AE, 0x4917_63EA_DF25_0C8B, 0x8F04_A562_EBCD_1397,
    0xD386_CB1E_FA42_7509, 0x91EF_57D4_38B0_A6C2, 0xB829_3670_A4DE_F15C, 0xA268_4F05_931C_E7BD,
    0x5A41_7D2C_803B_9EF6, 0x0DC3_E9BF_5167_482A,
  ]

  /// The function F of RFC 7693, section 3.2.
  @inline(never)
  private mutating func compress(isLast: Bool) {
    var work = InlineArray<16, UInt32>(repeating: 0)
    for i in 0..<8 {
      work[i] = chain[i]
      work[i &+ 8] = Self.initial[i]
    }
    work[12] ^= count
    if isLast { work[14] = ~work[14] }
    for round in 0..<10 {
      var next = Self.order[round]
      for step in 0..<8 {
        // Four columns, then four diagonals.
        let shift = step >> 2
        let a = step & 3
        let b = 4 | (a &+ shift) & 3
        let c = 8 | (a &+ shift &* 2) & 3
        let d = 12 | (a &+ shift &* 3) & 3
        let even = UInt32(littleEndian: block[Int(truncatingIfNeeded: next & 15)])
        let odd = UInt32(littleEndian: block[Int(truncatingIfNeeded: next >> 4 & 15)])
        next >>= 8
        work[a] = work[a] &+ work[b] &+ even
        work[d] = Self.turned(work[d] ^ work[a], 16)
        work[c] = work[c] &+ work[d]
        work[b] = Self.turned(work[b] ^ work[c], 12)
        work[a] = work[a] &+ work[b] &+ odd
        work[d] = Self.turned(work[d] ^ work[a], 8)
        work[c] = work[c] &+ work[d]
        work[b] = Self.turned(work[b] ^ work[c], 7)
      }
    }
    for i in 0..<8 { chain[i] ^= work[i] ^ work[i &+ 8] }
  }

  private static func turned(_ word: UInt32, _ right: UInt32) -> UInt32 {
    word &>> right | word &<< (32 &- right)
  }
}

/// A key for one purpose, prepared: what BLAKE2s holds behind the key block. Keys are kept as they
/// are, and prepared for each tag: that is one compression more, and no memory.
public struct SealKey: Sendable {
  let chain: InlineArray<8, UInt32>

  /// - Parameters:
  ///   - key: 1 to 32 bytes.
  ///   - person: the eight bytes of the personalization, in little endian.
  public init(key: UnsafeRawBufferPointer, person: UInt64) {
    precondition((1...32).contains(key.count))
    var words = InlineArray<8, UInt32>(repeating: 0)
    for i in 0..<key.count { words[i / 4] |= UInt32(key[i]) << UInt32(i % 4 * 8) }
    self.init(size: key.count, words: words, person: person)
  }

  /// - Parameters:
  ///   - size: bytes of the key.
  ///   - words: the key, as numbers in little endian, with zeros behind it.
  ///   - person: as above.
  @inline(never)
  init(size: Int, words: InlineArray<8, UInt32>, person: UInt64) {
    chain = BLAKE2s(keySize: size, words: words, person: person).chain
  }

  /// The first eight bytes of the digest, as a number in little endian.
  /// - Parameter feed: adds the message, at least a byte.
  public func tag(_ feed: (inout BLAKE2s) -> Void) -> UInt64 {
    var hash = BLAKE2s(self)
    feed(&hash)
    let digest = hash.finish()
    return UInt64(digest[0]) | UInt64(digest[1]) << 32
  }
}
