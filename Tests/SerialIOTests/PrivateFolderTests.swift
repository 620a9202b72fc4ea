import Glibc
import TestSupport
import Testing

@testable import SerialIO

@Suite struct PrivateFolderTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `a folder is made with what it lies in, for its owner alone, and found again`() throws
  {
    let path = scratch.path("a/b/c")
    try PrivateFolder.make(path + "/")
    #expect(mode(of: path) == 0o700 && mode(of: scratch.path("a")) == 0o700)
    try PrivateFolder.make(path)
    try PrivateFolder.check(path)
    #expect(throws: IOFailure.self) { try PrivateFolder.check(scratch.path("none")) }
  }

  @Test(arguments: [0o755, 0o770, 0o701])
  func `a folder that others may open is refused with a hint`(mode: mode_t) throws {
    let path = scratch.path("open")
    try #require(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
    let refusal = #expect(throws: IOFailure.self) { try PrivateFolder.make(path) }
    #expect(refusal?.description == "cannot use \(path): others may open it; chmod 700 \(path)")
  }

  @Test func `a link is refused, also one that leads to a folder of ours`() throws {
    try PrivateFolder.make(scratch.path("ours"))
    try #require(symlink(scratch.path("ours"), scratch.path("link")) == 0)
    for path in ["link", "link/"] {
      let refusal = #expect(throws: IOFailure.self) {
        try PrivateFolder.make(scratch.path(path))
      }
      #expect(refusal?.description.contains("it is a link") == true)
    }
    try Syscall.run("make", "a file") { mknod(scratch.path("file"), S_IFREG | 0o600, 0) }
    #expect(throws: IOFailure.self) { try PrivateFolder.make(scratch.path("file")) }
  }

  @Test func `a folder is refused where others can put another in its place`() throws {
    let path = scratch.path("shared/fob")
    try PrivateFolder.make(path)
    try #require(chmod(scratch.path("shared"), 0o777) == 0)
    let refusal = #expect(throws: IOFailure.self) { try PrivateFolder.check(path) }
    #expect(refusal?.description.contains("chmod o-w \(scratch.path("shared"))") == true)
    // As /tmp is.
    try #require(chmod(scratch.path("shared"), 0o1777) == 0)
    try PrivateFolder.check(path)
  }

  @Test func `a secret is read from a file of its owner's alone, and from a pipe`() throws {
    let path = scratch.path("pin")
    let file = try Syscall.open(path, O_WRONLY | O_CREAT, mode: 0o600)
    try #require(write(file.number, "2468\nmore", 9) == 9)
    #expect(try SecretFile.read(path).line == "2468")
    #expect(throws: IOFailure.self) { _ = try SecretFile.read(path, longest: 8) }
    try #require(chmod(path, 0o640) == 0)
    let refusal = #expect(throws: IOFailure.self) { _ = try SecretFile.read(path) }
    #expect(refusal?.description.contains("it can be read by others; chmod 600 \(path)") == true)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && write(ends[1], "1357", 4) == 4)
    close(ends[1])
    defer { close(ends[0]) }
    #expect(try SecretFile.read("/dev/fd/\(ends[0])").line == "1357")
    #expect(throws: IOFailure.self) { _ = try SecretFile.read("/dev/null") }
  }
}
