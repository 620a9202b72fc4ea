import FobBase

/// A board's store on flash: a journal in one of two banks, and a mirror of what it says in RAM.
///
/// ```
/// 0    head of the bank: u32 generation from 1 on, u32 its complement, u32 magic
/// 12   the head again
/// 24   entries: u32 place, size and kind; the words, or none where all are 0; u32 CRC-32C of both
/// ```
/// A write is whole once its CRC is in the flash, and was never made before. A bank that is nearly
/// full is left: the other one, erased beforehand, gets what the mirror says, and its head last.
///
/// No write waits for an erasure. ``tidy()`` erases, a page at each call, and is for moments in
/// which nothing waits. A boot, for which nobody waits yet, leaves a bank that is ``isNearlyFull``:
/// a keychain whose plug is loose may never be quiet for long.
///
/// A word or a page that a power cut has left half done may read differently at the next boot. So
/// ``init(_:mirror:)`` clears what it cannot read, writes the last entry and an unfinished head
/// again, and a bank counts as erased only by an entry that says so.
public struct FlashStore<Memory: FlashDevice> {
  private var memory: Memory
  private let mirror: UnsafeMutableRawBufferPointer
  private var bank = 0
  private var generation: UInt32 = 0
  /// Where the next entry goes, in the bank.
  private var end = Self.entriesAt
  /// The other bank is erased, and nothing was written to it since.
  private var isOtherErased = false
  /// The page of the other bank that is erased next.
  private var nextPage = 0

  /// Reads the journal. A memory that has none gets one before this returns, which erases a bank.
  /// - Parameters:
  ///   - memory: the pages of the store.
  ///   - mirror: memory for all bytes of the store, aligned to words and a multiple of 4, which
  ///     nobody else touches.
  public init(_ memory: consuming Memory, mirror: UnsafeMutableRawBufferPointer) {
    self.memory = memory
    self.mirror = mirror
    precondition(mirror.count % 4 == 0 && bankSize >= 2 * mirror.count + Self.entriesAt)
    let first = generation(ofBank: 0)
    let second = generation(ofBank: 1)
    generation = max(first, second)
    if generation == 0 {
      format()
    } else {
      bank = first > second ? 0 : 1
      writeHead()
      makeCertain(read())
    }
  }

  /// Copies bytes of the store out of the mirror.
  /// - Returns: false outside of the store.
  public func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard offset >= 0, offset + buffer.count <= mirror.count else { return false }
    for place in 0..<buffer.count { buffer[place] = mirror[offset + place] }
    return true
  }

  /// Writes whole words, all of them or, where power is cut, none.
  /// - Returns: false outside of the store, between words, for worn flash, and while a full bank
  ///   waits for the other one to be erased.
  public mutating func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard offset >= 0, offset + bytes.count <= mirror.count, (offset | bytes.count) % 4 == 0
    else { return false }
    var isSame = true
    for place in 0..<bytes.count where mirror[offset + place] != bytes[place] {
      mirror[offset + place] = bytes[place]
      isSame = false
    }
    if isSame || append(place: offset / 4, count: bytes.count / 4) || compact() { return true }
    // The mirror says again what the flash says.
    let known = (end, isOtherErased)
    _ = read()
    (end, isOtherErased) = known
    return false
  }

  /// Does one step of what a quiet moment is for: erases a page of the bank that was left, or
  /// leaves a bank of which a quarter is free.
  /// - Returns: false when there is nothing to do.
  public mutating func tidy() -> Bool {
    if !isOtherErased {
      eraseNextPage()
    } else if end + Self.reserve > bankSize / 4 * 3 {
      _ = compact()
    } else {
      return false
    }
    return true
  }

  /// Whether less than an eighth of the bank is free: writes may soon be refused.
  public var isNearlyFull: Bool { end + spare > bankSize }

  // MARK: Entries

  /// Appends what the mirror says there.
  @inline(never)
  private mutating func append(place: Int, count: Int) -> Bool {
    var isZero = true
    for word in place..<place + count where self.word(word) != 0 { isZero = false }
    return append(
      FlashEntry(isZero ? .zeros : .words, place: place, count: count), reserve: Self.reserve)
  }

  /// Appends an entry, its words as the mirror has them, if so many bytes stay free behind it.
  @inline(never)
  private mutating func append(_ entry: FlashEntry, reserve: Int) -> Bool {
    var at = end
    guard at + entry.size + reserve <= bankSize else { return false }
    // Nothing is written behind a word that is worn.
    end = bankSize
    var crc = CRC32C()
    guard put(entry.head, at: at) else { return false }
    crc.add(entry.head)
    for place in entry.place..<entry.place + entry.words {
      at += 4
      guard put(word(place), at: at) else { return false }
      crc.add(word(place))
    }
    guard put(crc.value, at: at + 4) else { return false }
    end = at + 8
    return true
  }

  @inline(never)
  private mutating func put(_ word: UInt32, at offset: Int) -> Bool {
    memory.write(word, at: bank * bankSize + offset)
    return flashWord(offset) == word
  }

  private func flashWord(_ offset: Int) -> UInt32 { memory.word(at: bank * bankSize + offset) }

  private func word(_ place: Int) -> UInt32 {
    UInt32(littleEndian: mirror.load(fromByteOffset: place * 4, as: UInt32.self))
  }

  private func setWord(_ place: Int, _ word: UInt32) {
    mirror.storeBytes(of: word.littleEndian, toByteOffset: place * 4, as: UInt32.self)
  }

  /// Carries out all whole entries, from zeros on.
  /// - Returns: the last of them, and where erased flash begins.
  @inline(never)
  private mutating func read() -> (last: FlashEntry?, used: Int) {
    for place in 0..<mirror.count / 4 { setWord(place, 0) }
    var last: FlashEntry?
    var at = Self.entriesAt
    var used = at
    end = at
    while at < bankSize {
      let head = flashWord(at)
      let entry = FlashEntry(head: head, storeWords: mirror.count / 4)
      if let entry, isWhole(entry, at: at) {
        carryOut(entry, at: at)
        last = entry
        at += entry.size
        end = at
      } else {
        at += 4
      }
      if head != .max { used = at }
    }
    return (last, used)
  }

  private func isWhole(_ entry: FlashEntry, at offset: Int) -> Bool {
    guard offset + entry.size <= bankSize else { return false }
    var crc = CRC32C()
    for word in 0...entry.words { crc.add(flashWord(offset + word * 4)) }
    return flashWord(offset + entry.size - 4) == crc.value
  }

  private mutating func carryOut(_ entry: FlashEntry, at offset: Int) {
    switch entry.kind {
    case .otherErased: isOtherErased = true
    case .otherUsed: isOtherErased = false
    default:
      for word in 0..<entry.count {
        setWord(entry.place + word, entry.words > 0 ? flashWord(offset + 4 + word * 4) : 0)
      }
    }
  }

  /// What `read` has found is found at the next boot, too.
  private mutating func makeCertain(_ found: (last: FlashEntry?, used: Int)) {
    // An entry that a power cut has left half written.
    while end < found.used {
      memory.write(0, at: bank * bankSize + end)
      end += 4
    }
    guard let last = found.last, !append(last, reserve: spare) else { return }
    while !isOtherErased { eraseNextPage() }
    if !compact() { _ = append(last, reserve: 0) }
  }

  // MARK: Banks

  private var spare: Int { Self.reserve + bankSize / 8 }
  private var bankSize: Int { memory.pageSize * memory.pageCount / 2 }

  /// Writes what the mirror says to the other bank, and goes on there.
  @inline(never)
  private mutating func compact() -> Bool {
    guard isOtherErased else { return false }
    _ = append(FlashEntry(.otherUsed), reserve: 0)
    isOtherErased = false
    nextPage = 0
    let oldEnd = end
    bank = 1 - bank
    end = Self.entriesAt
    if copyMirror() {
      generation &+= 1
      if writeHead() { return true }
      generation &-= 1
    }
    bank = 1 - bank
    end = oldEnd
    return false
  }

  /// In runs: what is all 0 there takes no words.
  private mutating func copyMirror() -> Bool {
    var place = 0
    while place < mirror.count / 4 {
      let count = min(Self.run, mirror.count / 4 - place)
      guard append(place: place, count: count) else { return false }
      place += count
    }
    return true
  }

  /// Writes both heads of the bank, or what a power cut has left out of them.
  @discardableResult
  private mutating func writeHead() -> Bool {
    for word in 0..<6 {
      let place = word < 3 ? word : word - 3
      let wanted = place == 0 ? generation : place == 1 ? ~generation : Self.magic
      guard flashWord(word * 4) == wanted || put(wanted, at: word * 4) else { return false }
    }
    return true
  }

  /// 0 where the bank has no head that verifies.
  @inline(never)
  private func generation(ofBank bank: Int) -> UInt32 {
    for copy in 0..<2 {
      let at = bank * bankSize + copy * 12
      let found = memory.word(at: at)
      if memory.word(at: at + 4) == ~found, memory.word(at: at + 8) == Self.magic { return found }
    }
    return 0
  }

  /// The bank's head is in its first page, so that a bank that is half erased has none.
  @inline(never)
  private mutating func eraseNextPage() {
    let pages = memory.pageCount / 2
    memory.erase(page: (1 - bank) * pages + nextPage)
    nextPage += 1
    guard nextPage == pages else { return }
    isOtherErased = true
    _ = append(FlashEntry(.otherErased), reserve: 0)
  }

  /// Makes the first journal. Flash is uniform before its first use; where it is not, something was
  /// lost, and the store must not look like one that never had a boot (`EventStore.isBlank`).
  private mutating func format() {
    for place in 0..<mirror.count / 4 { setWord(place, 0) }
    var at = 4
    while at < 2 * bankSize, memory.word(at: at) == memory.word(at: 0) { at += 4 }
    if at < 2 * bankSize { mirror[0] = 0xFF }
    for page in 0..<memory.pageCount / 2 { memory.erase(page: page) }
    generation = 1
    writeHead()
  }

  // MARK: Layout

  private static var magic: UInt32 { 0x666F_6A31 }
  private static var entriesAt: Int { 24 }
  /// Bytes that entries of the store leave free: for those that tell of the other bank, and for the
  /// last one, again.
  private static var reserve: Int { 128 }
  /// Words of an entry, where a bank is left.
  private static var run: Int { 16 }
}
