import Firmware
import TestSupport

/// Flash whose power goes at a step, which is a word written or a page erased. The bits that this
/// step was about to change read one way or the other, drawn anew each time power returns.
final class TornFlash: FlashDevice {
  let pageSize: Int
  let pageCount: Int
  /// Steps that are still whole; nil while power stays.
  var stepsLeft: Int?
  private(set) var steps = 0
  private(set) var erasures = 0
  /// The most writes that a word got since its page was erased.
  private(set) var mostWrites = 0
  /// A word that can no longer be written.
  var wornAt: Int?
  private var words: [UInt32]
  private var unsteady: [UInt32]
  private var writes: [Int]
  private var random: SeededGenerator

  init(pageSize: Int, pageCount: Int, filledWith word: UInt32 = .max, seed: UInt64) {
    self.pageSize = pageSize
    self.pageCount = pageCount
    let count = pageSize * pageCount / 4
    words = [UInt32](repeating: word, count: count)
    unsteady = [UInt32](repeating: 0, count: count)
    writes = [Int](repeating: 0, count: count)
    random = SeededGenerator(seed: seed)
  }

  init(copying other: TornFlash, seed: UInt64) {
    pageSize = other.pageSize
    pageCount = other.pageCount
    words = other.words
    unsteady = other.unsteady
    writes = other.writes
    wornAt = other.wornAt
    random = SeededGenerator(seed: seed)
  }

  var size: Int { pageSize * pageCount }

  /// Power returns.
  func restorePower() {
    stepsLeft = nil
    for at in words.indices where unsteady[at] != 0 {
      let bits = UInt32.random(in: 0 ... .max, using: &random)
      words[at] = words[at] & ~unsteady[at] | bits & unsteady[at]
    }
  }

  func word(at offset: Int) -> UInt32 { words[offset / 4] }

  func write(_ word: UInt32, at offset: Int) {
    let at = offset / 4
    guard stepsLeft != 0 else { return tear(at, words[at] & ~word, isLast: true) }
    guard begin(), offset != wornAt else { return }
    words[at] &= word
    unsteady[at] &= word
    writes[at] += 1
    mostWrites = max(mostWrites, writes[at])
  }

  func erase(page: Int) {
    let range = page * pageSize / 4..<(page + 1) * pageSize / 4
    guard stepsLeft != 0 else {
      for at in range { tear(at, ~words[at], isLast: at == range.upperBound - 1) }
      return
    }
    guard begin() else { return }
    erasures += 1
    for at in range {
      words[at] = .max
      unsteady[at] = 0
      writes[at] = 0
    }
  }

  /// False once power has gone.
  private func begin() -> Bool {
    guard let left = stepsLeft else {
      steps += 1
      return true
    }
    guard left > 0 else { return false }
    stepsLeft = left - 1
    steps += 1
    return true
  }

  private func tear(_ at: Int, _ bits: UInt32, isLast: Bool) {
    unsteady[at] |= bits
    words[at] ^= bits & UInt32.random(in: 0 ... .max, using: &random)
    if isLast { stepsLeft = -1 }
  }
}
