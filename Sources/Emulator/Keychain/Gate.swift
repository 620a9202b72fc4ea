import Glibc
import SerialIO
import Synchronization

/// One thread waits here for the word of another.
final class Gate<Word: Sendable>: Sendable {
  private let signal: EventSignal
  private let word = Mutex<Word?>(nil)

  init() throws(IOFailure) { signal = try EventSignal() }

  func open(with word: Word) {
    self.word.withLock { $0 = word }
    signal.signal()
  }

  func pass() throws(IOFailure) -> Word {
    while true {
      if let word = word.withLock({ $0 }) { return word }
      _ = try Syscall.poll(signal.descriptor, for: POLLIN)
    }
  }
}
