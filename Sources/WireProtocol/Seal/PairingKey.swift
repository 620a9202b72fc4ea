public import FobBase

/// The key that a device and its core have in common: 16 random bytes (PROTOCOL.md, 15.1). It only
/// makes tags and other keys, and goes over the line in PAIR alone.
public struct PairingKey: Sendable {
  /// Bytes 0 to 7, in little endian.
  public let low: UInt64
  /// Bytes 8 to 15, in little endian.
  public let high: UInt64

  /// Takes any 16 bytes, as two numbers in little endian.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Whether both are the same, in a time that does not tell how much of them is.
  public static func == (a: PairingKey, b: PairingKey) -> Bool {
    (a.low ^ b.low) | (a.high ^ b.high) == 0
  }

  /// The key for one purpose.
  @inline(never)
  func sealKey(_ person: SealPerson) -> SealKey {
    var words = InlineArray<8, UInt32>(repeating: 0)
    words[0] = UInt32(truncatingIfNeeded: low)
    words[1] = UInt32(truncatingIfNeeded: low >> 32)
    words[2] = UInt32(truncatingIfNeeded: high)
    words[3] = UInt32(truncatingIfNeeded: high >> 32)
    return SealKey(size: 16, words: words, person: person.rawValue)
  }

  /// The tag that shows that a device has this key now: PAIR_RESULT carries it.
  /// - Parameters:
  ///   - session: the host's, which PAIR named.
  ///   - device: the one that was paired.
  @inline(never)
  public func pairingTag(session: UInt32, device: DeviceID) -> UInt64 {
    sealKey(.pair).tag { hash in
      hash.add(session)
      hash.add(device.rawValue)
    }
  }

  /// The key of one session: both ends make it of what both have said.
  /// - Parameters:
  ///   - hostNonce: of the host's CHALLENGE.
  ///   - proof: of the device; its clock and tag do not count.
  ///   - device: the one that the session is with.
  @inline(never)
  func sessionKey(hostNonce: UInt64, _ proof: Proof, device: DeviceID) -> SessionKey {
    var hash = BLAKE2s(sealKey(.session))
    hash.add(hostNonce)
    hash.add(sessionOf: proof)
    hash.add(device.rawValue)
    return SessionKey(words: hash.finish())
  }
}

/// What a tag is for: the personalization of BLAKE2s, eight letters as a number in little endian.
enum SealPerson: UInt64 {
  case pair = 0x7269_6170_2D62_6F66
  case session = 0x7373_6573_2D62_6F66
  case proof = 0x766F_7270_2D62_6F66
  case host = 0x7473_6F68_2D62_6F66
  case device = 0x6976_6564_2D62_6F66
  case event = 0x746E_7665_2D62_6F66
}

/// The key of one sealed session, 32 bytes.
struct SessionKey: Sendable {
  let words: InlineArray<8, UInt32>

  /// Of no session.
  static var none: SessionKey { SessionKey(words: InlineArray(repeating: 0)) }

  @inline(never)
  func sealKey(_ person: SealPerson) -> SealKey {
    SealKey(size: 32, words: words, person: person.rawValue)
  }

  /// The tag of a PROOF, whose own is not looked at.
  @inline(never)
  func tag(of proof: Proof) -> UInt64 {
    sealKey(.proof).tag { hash in
      hash.add(sessionOf: proof)
      hash.add(proof.clock)
    }
  }
}

extension BLAKE2s {
  /// Adds what PROOF says of its session.
  @inline(never)
  fileprivate mutating func add(sessionOf proof: Proof) {
    add(proof.session)
    add(proof.bootCounter)
    add(proof.bootNonce)
    add(proof.number)
  }

  /// Adds a number in little endian.
  @inline(never)
  mutating func add(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { update($0) }
  }

  /// Adds a number in little endian.
  @inline(never)
  mutating func add(_ value: UInt64) {
    add(UInt32(truncatingIfNeeded: value))
    add(UInt32(truncatingIfNeeded: value >> 32))
  }
}
