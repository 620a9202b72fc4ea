import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct StableLinkTests {
  @Test func `a link left behind is replaced and nothing else lies around`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/link"
    #expect(symlink("/nowhere", path) == 0)
    do {
      let link = try StableLink(at: path, to: "/dev/null")
      #expect(access(path, R_OK) == 0)
      _ = consume link
    }
    var status = stat()
    #expect(lstat(path, &status) != 0)
    #expect(rmdir(directory.path) == 0, "a temporary name was left")
  }

  @Test func `a link that another made its own is left alone`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/link"
    let link = try StableLink(at: path, to: "/dev/null")
    #expect(unlink(path) == 0 && symlink("/dev/zero", path) == 0)
    _ = consume link
    #expect(access(path, R_OK) == 0)
  }

  @Test func `a link is kept by one, by whatever path it is named`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/link"
    let link = try StableLink(at: path, to: "/dev/null")
    let refusal = #expect(throws: IOFailure.self) {
      _ = try StableLink(at: "\(directory.path)/./link", to: "/dev/zero")
    }
    #expect(refusal?.errno == EADDRINUSE)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
    _ = try StableLink(at: "\(directory.path)/other", to: "/dev/zero")
    _ = consume link
    _ = try StableLink(at: path, to: "/dev/zero")
  }

  @Test func `a file of that name is never replaced`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/link"
    _ = try Syscall.open(path, O_WRONLY | O_CREAT, mode: 0o600)
    let refusal = #expect(throws: IOFailure.self) { _ = try StableLink(at: path, to: "/dev/null") }
    #expect(refusal?.description == "cannot link \(path): something else has that name")
  }
}
