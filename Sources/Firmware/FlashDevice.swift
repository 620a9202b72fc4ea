/// Flash as microcontrollers have it: bits are cleared word by word, and set a page at a time. A
/// power cut leaves a word or a page anywhere between before and after, and perhaps read now one
/// way and now another.
///
/// The firmware's store has two banks of it, each half of the pages.
public protocol FlashDevice {
  /// Bytes of a page, a multiple of 4: the least that can be erased.
  var pageSize: Int { get }
  /// Pages of the store: an even number, of which half hold more than twice the store.
  var pageCount: Int { get }

  /// The word at a multiple of 4 bytes from the begin of the first page.
  func word(at offset: Int) -> UInt32
  /// Clears the bits that `word` does not have, in the word at a multiple of 4 bytes.
  mutating func write(_ word: UInt32, at offset: Int)
  /// Sets all bits of a page. The processor may stand still for many milliseconds.
  mutating func erase(page: Int)
}
