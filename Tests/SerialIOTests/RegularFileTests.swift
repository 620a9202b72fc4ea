import Foundation
import SerialIO
import TestSupport
import Testing

/// Files in places where anything may stand.
struct RegularFileTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test(arguments: [0, 1, 65_536, 70_000]) func `a file of the most bytes is read, no longer one`(
    count: Int
  ) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Data(bytes).write(to: URL(filePath: scratch.path("file")))
    #expect(try RegularFile.read(scratch.path("file"), longest: count) == bytes)
    guard count > 0 else { return }
    let failure = #expect(throws: IOFailure.self) {
      try RegularFile.read(scratch.path("file"), longest: count - 1)
    }
    #expect(failure?.errno == EFBIG)
  }

  @Test func `a pipe, a folder and a device are neither read nor written`() throws {
    try #require(mkfifo(scratch.path("pipe"), 0o600) == 0)
    for path in [scratch.path("pipe"), scratch.path, "/dev/zero"] {
      for failure in [
        #expect(throws: IOFailure.self) { _ = try RegularFile.read(path, longest: 8) },
        #expect(throws: IOFailure.self) { _ = try RegularFile.create(path) },
      ] { #expect(failure?.errno == EINVAL) }
    }
  }

  @Test func `a file is made or emptied, and not where a link leads`() throws {
    let path = scratch.path("file")
    for _ in 1...2 {
      let file = try RegularFile.create(path)
      #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
      _ = try Array("text".utf8).withUnsafeBytes { bytes in try file.write(bytes) }
    }
    try #require(symlink(path, scratch.path("link")) == 0)
    let failure = #expect(throws: IOFailure.self) {
      _ = try RegularFile.create(scratch.path("link"))
    }
    #expect(failure?.errno == ELOOP)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("text".utf8))
  }
}
