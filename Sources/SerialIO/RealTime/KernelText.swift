import FobBase
import Glibc

/// Small files of /proc and /sys.
enum KernelText {
  /// Its first 16 KiB; nil where it cannot be read.
  static func read(_ path: String) -> String? {
    guard let file = try? Syscall.open(path, O_RDONLY) else { return nil }
    let number = file.number
    return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      var length = 0
      while length < buffer.count {
        let count = Glibc.read(number, buffer.baseAddress! + length, buffer.count - length)
        guard count > 0 else { break }
        length += count
      }
      return String(decoding: buffer[..<length], as: UTF8.self)
    }
  }

  static func write(_ text: String, to path: String) throws(IOFailure) {
    let file = try Syscall.open(path, O_WRONLY)
    let number = file.number
    let bytes = Array(text.utf8)
    _ = try Syscall.run("write", path) { Glibc.write(number, bytes, bytes.count) }
  }
}
