/// Walks over the comma-separated fields of one sentence. It holds no bytes: each step is given the
/// sentence, so that nothing is copied and nothing outlives the reader's buffer.
struct FieldCursor {
  private var start = 0

  /// The place of the next field; empty past the last one, as older receivers leave fields off.
  mutating func next(in sentence: Span<UInt8>) -> Range<Int> {
    let first = min(start, sentence.count)
    var end = first
    while end < sentence.count, sentence[end] != UInt8(ascii: ",") { end += 1 }
    start = end + 1
    return first..<end
  }

  mutating func skip(_ n: Int, in sentence: Span<UInt8>) {
    for _ in 0..<n { _ = next(in: sentence) }
  }

  /// The next field, which must be one character.
  mutating func letter(in sentence: Span<UInt8>) throws(FieldError) -> UInt8 {
    let field = next(in: sentence)
    guard !field.isEmpty else { throw .missing }
    guard field.count == 1 else { throw .malformed }
    return sentence[field.lowerBound]
  }
}
