/// BLAKE2s with a digest of 32 bytes (RFC 7693). It takes the same time for all keys and messages
/// of one length, and allocates nothing.
public struct BLAKE2s: Sendable {
  private var chain: InlineArray<8, UInt32>
  private var block = InlineArray<64, UInt8>(repeating: 0)
  /// Bytes in `block`, 0 to 64. The last block is compressed at the end, for it is marked.
  private var filled = 0
  /// Bytes compressed; a message of this protocol is far shorter than 2^32.
  private var count: UInt32

  /// Without a key.
  public init() {
    chain = Self.start(keySize: 0, person: 0)
    count = 0
  }

  /// Goes on behind the key block of `key`. The message must have a byte at least.
  @inline(never)
  public init(_ key: SealKey) {
    chain = key.chain
    count = 64
  }

  fileprivate static func start(keySize: Int, person: UInt64) -> InlineArray<8, UInt32> {
    var chain = initial
    // Parameter block: digest 32, key, fanout 1, depth 1; the person fills its last words.
    chain[0] ^= 0x0101_0020 ^ UInt32(truncatingIfNeeded: keySize) << 8
    chain[6] ^= UInt32(truncatingIfNeeded: person)
    chain[7] ^= UInt32(truncatingIfNeeded: person >> 32)
    return chain
  }

  /// Adds bytes to the message.
  @inline(never)
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if filled == 64 {
        count &+= 64
        Self.compress(&chain, block, count: count, isLast: false)
        filled = 0
      }
      block[filled] = byte
      filled &+= 1
    }
  }

  /// The digest, as eight numbers in little endian.
  @inline(never)
  public mutating func finish() -> InlineArray<8, UInt32> {
    count &+= UInt32(truncatingIfNeeded: filled)
    while filled < 64 {
      block[filled] = 0
      filled &+= 1
    }
    Self.compress(&chain, block, count: count, isLast: true)
    return chain
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
  fileprivate static func compress(
    _ chain: inout InlineArray<8, UInt32>, _ block: borrowing InlineArray<64, UInt8>,
    count: UInt32, isLast: Bool
  ) {
    var work = InlineArray<16, UInt32>(repeating: 0)
    var words = InlineArray<16, UInt32>(repeating: 0)
    for i in 0..<8 {
      work[i] = chain[i]
      work[i &+ 8] = initial[i]
    }
    for i in 0..<16 {
      let at = i &* 4
      words[i] =
        UInt32(block[at]) | UInt32(block[at &+ 1]) << 8 | UInt32(block[at &+ 2]) << 16
        | UInt32(block[at &+ 3]) << 24
    }
    work[12] ^= count
    if isLast { work[14] = ~work[14] }
    for round in 0..<10 {
      var next = order[round]
      for step in 0..<8 {
        // Four columns, then four diagonals.
        let shift = step >> 2
        let a = step & 3
        let b = 4 | (a &+ shift) & 3
        let c = 8 | (a &+ shift &* 2) & 3
        let d = 12 | (a &+ shift &* 3) & 3
        for half in 0..<2 {
          let word = words[Int(truncatingIfNeeded: next & 15)]
          next >>= 4
          work[a] = work[a] &+ work[b] &+ word
          work[d] = turned(work[d] ^ work[a], half == 0 ? 16 : 8)
          work[c] = work[c] &+ work[d]
          work[b] = turned(work[b] ^ work[c], half == 0 ? 12 : 7)
        }
      }
    }
    for i in 0..<8 { chain[i] ^= work[i] ^ work[i &+ 8] }
  }

  private static func turned(_ word: UInt32, _ right: UInt32) -> UInt32 {
    word &>> right | word &<< (32 &- right)
  }

  /// What is left in `chain` of a key block.
  fileprivate static func chain(
    of key: UnsafeRawBufferPointer, person: UInt64
  ) -> InlineArray<8, UInt32> {
    precondition((1...32).contains(key.count))
    var chain = start(keySize: key.count, person: person)
    var block = InlineArray<64, UInt8>(repeating: 0)
    for i in 0..<key.count { block[i] = key[i] }
    compress(&chain, block, count: 64, isLast: false)
    return chain
  }
}

/// A key for one purpose, prepared: what BLAKE2s holds behind the key block. A tag over 64 bytes or
/// fewer then costs one compression.
public struct SealKey: Sendable {
  let chain: InlineArray<8, UInt32>

  /// All zeros: no key. It proves nothing.
  static var none: SealKey { SealKey(chain: InlineArray(repeating: 0)) }

  private init(chain: InlineArray<8, UInt32>) { self.chain = chain }

  /// - Parameters:
  ///   - key: 1 to 32 bytes.
  ///   - person: the eight bytes of the personalization, in little endian.
  public init(key: UnsafeRawBufferPointer, person: UInt64) {
    chain = BLAKE2s.chain(of: key, person: person)
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
