import CLinux
import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct LinuxShimTests {
  @Test func `SHA-512 crypt gives the specification's first answer`() {
    let setting = "$6$saltstring"
    let answer =
      "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCo"
      + "EOfaS35inz1"
    var hash = [CChar](repeating: 0, count: 384)
    #expect(clinux_crypt("Hello world!", setting, &hash, hash.count) == 0)
    #expect(hash.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } == answer)
  }

  @Test func `a setting of no method and a hash without room are refused`() {
    var hash = [CChar](repeating: 0, count: 8)
    #expect(clinux_crypt("word", "*", &hash, hash.count) == -1)
    #expect(clinux_crypt("word", "$6$saltstring", &hash, hash.count) == -1)
    #expect(hash.allSatisfy { $0 == 0 })
  }

  @Test func `a signal is reported by its descriptor`() throws {
    let watched: [Int32] = [SIGUSR2]
    let seen = Gathered<Int32>()
    let thread = try BlockingThread(name: "signals") {
      let watch = OwnedDescriptor(
        owning: clinux_signalfd(watched, Int32(watched.count)), path: "a signalfd")
      pthread_kill(pthread_self(), SIGUSR2)
      seen.put(clinux_signalfd_next(watch.number))
      seen.put(clinux_signalfd_next(watch.number))
    }
    #expect(try seen.take(atLeast: 2) == [SIGUSR2, -1])
    #expect(thread.join(within: .seconds(10)))
  }

  @Test func `a limit can be read and set`() {
    var limit = rlimit()
    let cores = Int32(bitPattern: UInt32(RLIMIT_CORE.rawValue))
    #expect(clinux_prlimit(0, cores, nil, &limit) == 0)
    #expect(clinux_prlimit(0, cores, &limit, nil) == 0)
  }
}
