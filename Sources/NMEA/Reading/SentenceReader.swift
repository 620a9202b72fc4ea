import FobBase

/// Finds the sentences in what a GPS receiver sends, a byte or a chunk at a time (NMEA 0183, `$` to
/// line end).
///
/// A sentence is `$`, at most 120 printable characters, `*`, the XOR of those characters as two
/// hexadecimal digits, and CR or LF. The standard ends it at 82 characters; receivers in use send
/// longer ones (kosma/minmea#97). A new `$` always begins a new sentence, whatever was cut off
/// before it.
///
/// A sentence with a wrong checksum is refused; one without is subject to ``ChecksumPolicy``.
public struct SentenceReader: Sendable {
  /// Sentences that were whole and had the right checksum (or, by policy, none).
  public private(set) var accepted: UInt32 = 0
  /// Sentences that began with `$` and were torn, too long or without the right checksum.
  public private(set) var refused: UInt32 = 0

  private var characters = InlineArray<120, UInt8>(repeating: 0)
  private var count = 0
  private var checksum: UInt8 = 0
  private var state = State.between
  private let policy: ChecksumPolicy

  private enum State {
    case between, inSentence, atHighDigit, atLowDigit, atLineEnd
  }

  /// By default a sentence without a checksum is refused.
  public init(checksum policy: ChecksumPolicy = .required) { self.policy = policy }

  /// Takes one byte. True when it ended a whole sentence with the right checksum, which
  /// `withSentence` then gives until the next `$`.
  public mutating func receive(_ byte: UInt8) -> Bool {
    if byte == UInt8(ascii: "$") {
      if state != .between { refused &+= 1 }
      begin()
      return false
    }
    switch state {
    case .between:
      return false
    case .inSentence:
      return receiveCharacter(byte)
    case .atHighDigit:
      receiveDigit(byte, shift: 4, then: .atLowDigit)
      return false
    case .atLowDigit:
      receiveDigit(byte, shift: 0, then: .atLineEnd)
      return false
    case .atLineEnd:
      return end(at: byte)
    }
  }

  /// Takes bytes from `start` to the end of the first whole sentence, and moves `start` behind it.
  /// False when all are taken and no sentence has ended. The result is the same as for each byte
  /// alone, several times as fast.
  public mutating func receive(_ bytes: Span<UInt8>, from start: inout Int) -> Bool {
    while start < bytes.count {
      switch state {
      case .between:
        start = Characters.firstDollar(in: bytes, from: start)
        guard start < bytes.count else { return false }
        #if !hasFeature(Embedded)
          begin()
          start &+= 1
          continue
        #endif
      case .inSentence:
        let run = Characters.take(from: bytes, at: start, into: &characters, at: count)
        count += run.count
        checksum ^= run.checksum
        start += run.count
        guard start < bytes.count else { return false }
        #if !hasFeature(Embedded)
          if isWhole(at: start, in: bytes) {
            start += 4
            accept()
            return true
          }
        #endif
      default: break
      }
      let byte = bytes[start]
      start += 1
      if receive(byte) { return true }
    }
    return false
  }

  #if !hasFeature(Embedded)
    /// Whether a right sentence ends here: with `*`, the checksum of the characters taken, in
    /// capitals, and a line end. Any other end is read a byte at a time.
    private func isWhole(at place: Int, in bytes: Span<UInt8>) -> Bool {
      guard bytes.count &- place >= 4 else { return false }
      let end = bytes.withUnsafeBytes {
        UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      }
      let digits =
        UInt32(Hex.capital(checksum >> 4)) << 8
        | UInt32(Hex.capital(checksum & 15)) << 16
      let isRight = end & 0xFF_FFFF == UInt32(UInt8(ascii: "*")) | digits
      return isRight && Self.isLineEnd(UInt8(truncatingIfNeeded: end >> 24))
    }
  #endif

  /// The characters of the last accepted sentence, without `$` and without `*` and checksum.
  public func withSentence<R, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(characters.span.extracting(first: count))
  }

  /// The content of the last accepted sentence. Ask before the next byte is taken.
  /// - Throws: `FieldError` for a sentence with a field that is missing, malformed or out of range.
  public func sentence() throws(FieldError) -> Sentence {
    try Sentence(characters.span.extracting(first: count))
  }

  /// Takes bytes like `receive(_:from:)` and reads the sentence that they end; nil when all are
  /// taken and none has ended. It is faster than `sentence()`, which has to copy.
  ///
  /// ```swift
  /// var at = 0
  /// while let sentence = try reader.next(in: chunk, from: &at) { … }
  /// ```
  /// - Throws: `FieldError` for a sentence with a field that is missing, malformed or out of range;
  ///   `start` stands behind that sentence.
  public mutating func next(
    in bytes: Span<UInt8>, from start: inout Int
  ) throws(FieldError) -> Sentence? {
    guard receive(bytes, from: &start) else { return nil }
    return try Sentence(characters.span.extracting(first: count))
  }

  /// Mutating, because only then the characters are read where they stand.
  @inline(never)
  mutating func read(_ report: inout Report) throws(FieldError) {
    try report.read(characters.span.extracting(first: count))
  }

  private mutating func begin() {
    state = .inSentence
    count = 0
    checksum = 0
  }

  private mutating func receiveCharacter(_ byte: UInt8) -> Bool {
    if byte == UInt8(ascii: "*") {
      state = .atHighDigit
    } else if (0x20...0x7E).contains(byte), count < characters.count {
      characters[count] = byte
      count += 1
      checksum ^= byte
    } else if policy == .optional, Self.isLineEnd(byte) {
      accept()
      return true
    } else {
      refuse()
    }
    return false
  }

  /// XORs the stated checksum into the computed one: a right sentence leaves 0.
  private mutating func receiveDigit(_ byte: UInt8, shift: UInt8, then next: State) {
    guard let digit = Hex.value(of: byte) else { return refuse() }
    checksum ^= digit << shift
    state = next
  }

  private mutating func end(at byte: UInt8) -> Bool {
    guard checksum == 0, Self.isLineEnd(byte) else {
      refuse()
      return false
    }
    accept()
    return true
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
  }

  private mutating func accept() {
    accepted &+= 1
    state = .between
  }

  private mutating func refuse() {
    refused &+= 1
    count = 0
    state = .between
  }
}

/// Whether a sentence without a checksum is accepted. One with a wrong checksum is refused whatever
/// the policy.
public enum ChecksumPolicy: Sendable {
  /// It is refused: in the logs of real receivers that this was tested with, every sentence without
  /// a checksum was a torn one.
  case required
  /// It is accepted when it ends with a line end, for receivers that are set to send none. A
  /// sentence that lost its checksum on the way is then believed, too.
  case optional
}
