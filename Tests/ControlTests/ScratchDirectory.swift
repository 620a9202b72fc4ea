import Glibc
import Testing

/// A directory of a test's own, removed with all that is in it.
final class ScratchDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/fob-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
    try #require(made)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
        }
        unlink("\(path)/\(name)")
      }
      closedir(directory)
    }
    rmdir(path)
  }
}
