import Glibc

/// Which seeds are being played when production code crashes the process, a trap included: said by
/// a signal handler, so nothing here allocates or locks.
enum SeedsAtCrash {
  static let maxThreads = 1_024
  private static let none = UInt64.max

  // Each thread writes its own place alone, and the handler reads words, whole on every host.
  nonisolated(unsafe) private static let seeds = {
    let places = UnsafeMutablePointer<UInt64>.allocate(capacity: maxThreads)
    places.initialize(repeating: none, count: maxThreads)
    return places
  }()

  static func install() {
    _ = seeds
    CrashHandler.install { SeedsAtCrash.say() }
  }

  static func playing(_ seed: UInt64, on thread: Int) { seeds[thread] = seed }
  static func played(on thread: Int) { seeds[thread] = none }

  private static func say() {
    for thread in 0..<maxThreads where seeds[thread] != none {
      write("fob: crashed, perhaps by: fob simulate --seed ")
      write(seeds[thread])
      write("\n")
    }
  }

  private static func write(_ text: StaticString) {
    _ = Glibc.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func write(_ number: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var first = 20
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      _ = Glibc.write(STDERR_FILENO, digits.baseAddress! + first, 20 - first)
    }
  }
}
