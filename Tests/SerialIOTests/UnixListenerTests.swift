import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct UnixListenerTests {
  @Test func `the socket is its owner's alone and goes with the listener`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/socket"
    do {
      let listener = try UnixListener(path: path)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      _ = consume listener
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a socket in use is refused and lives on`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/socket"
    let listener = try UnixListener(path: path)
    let refusal = #expect(throws: IOFailure.self) { _ = try UnixListener(path: path) }
    #expect(refusal?.description == "cannot listen at \(path): another process listens there")
    _ = try UnixSocket.connect(path: path)
    #expect(listener.path == path)
  }

  @Test func `a socket that nobody listens on is replaced`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/socket"
    try leaveStaleSocket(at: path)
    let listener = try UnixListener(path: path)
    _ = try UnixSocket.connect(path: path)
    let now = Instant(microseconds: 0)
    #expect(try Syscall.poll(listener.descriptor, for: POLLIN, until: now) == POLLIN)
  }

  @Test func `a file of that name is never replaced`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/file"
    _ = try Syscall.open(path, O_WRONLY | O_CREAT, mode: 0o600)
    let refusal = #expect(throws: IOFailure.self) { _ = try UnixListener(path: path) }
    #expect(refusal?.description == "cannot listen at \(path): it is not a socket")
  }

  @Test func `a path of 107 bytes is taken, one of 108 refused with both numbers`() throws {
    let directory = try ScratchDirectory()
    let start = "\(directory.path)/"
    let fits = start + String(repeating: "s", count: 107 - start.utf8.count)
    _ = try UnixListener(path: fits)
    let refusal = #expect(throws: IOFailure.self) { _ = try UnixListener(path: fits + "s") }
    #expect(refusal?.errno == ENAMETOOLONG)
    #expect(refusal?.reason == "a socket's path has 1 to 107 bytes, this one has 108")
  }

  /// Moved aside while its listener ends, so that the listener does not find it to remove.
  private func leaveStaleSocket(at path: String) throws {
    let listener = try UnixListener(path: path + ".old")
    try #require(rename(path + ".old", path) == 0)
    _ = consume listener
  }
}
