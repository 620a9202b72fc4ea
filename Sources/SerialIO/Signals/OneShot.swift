public import FobBase
import Glibc
import Synchronization

/// One thread waits here for the word of another.
public final class OneShot<Word: Sendable>: Sendable {
  private let signal: EventSignal
  private let word = Mutex<Word?>(nil)

  public init() throws(IOFailure) { signal = try EventSignal() }

  /// Readable once the word has come.
  var descriptor: Int32 { signal.descriptor }

  public func open(with word: Word) {
    self.word.withLock { $0 = word }
    signal.signal()
  }

  public func pass() throws(IOFailure) -> Word {
    while true {
      if let word = try pass(until: nil) { return word }
    }
  }

  /// Nil when the word has not come by the deadline.
  public func pass(until deadline: Instant?) throws(IOFailure) -> Word? {
    if let word = word.withLock({ $0 }) { return word }
    _ = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
    return word.withLock { $0 }
  }
}
