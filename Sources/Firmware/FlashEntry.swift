/// The head of an entry of the journal in which `FlashStore` keeps the store: words at a place, or
/// zeros there, or what is known of the other bank.
struct FlashEntry: Equatable {
  enum Kind: UInt32 {
    case words, zeros
    /// All pages of the other bank were erased.
    case otherErased
    /// Something is being written to the other bank.
    case otherUsed
  }

  /// Tells a head from erased flash, and from what was cleared.
  private static let mark: UInt32 = 0b101

  let head: UInt32

  /// - Parameters:
  ///   - place: words from the begin of the store.
  ///   - count: words of the store.
  init(_ kind: Kind, place: Int = 0, count: Int = 0) {
    head = Self.mark << 29 | kind.rawValue << 27 | UInt32(count) << 14 | UInt32(place)
  }

  /// Nil for a word that is no head of an entry of a store of so many words.
  init?(head: UInt32, storeWords: Int) {
    self.head = head
    guard head >> 29 == Self.mark, place + count <= storeWords else { return nil }
  }

  var kind: Kind { Kind(rawValue: head >> 27 & 3) ?? .words }
  var place: Int { Int(head & 0x3FFF) }
  var count: Int { Int(head >> 14 & 0x1FFF) }

  /// Words between head and checksum.
  var words: Int { kind == .words ? count : 0 }

  /// Bytes in the flash.
  var size: Int { 8 + words * 4 }
}
