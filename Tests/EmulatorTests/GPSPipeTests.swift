import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

@Suite struct GPSPipeTests {
  private let start = Instant(microseconds: 5_000_000)

  @Test func `a FIFO is heard, and again when the writer left and another comes`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/gps"
    #expect(mkfifo(path, 0o600) == 0)
    var feed = try GPSFeed(.pipe(path: path), at: start)
    #expect(heard(&feed).isEmpty)
    for text in ["first", "second", "third"] {
      let writer = try FileHandle(forWritingTo: URL(filePath: path))
      try writer.write(contentsOf: Data(text.utf8))
      #expect(try isReady(feed.descriptor))
      #expect(heard(&feed) == text)
      try writer.close()
      #expect(heard(&feed).isEmpty)
      #expect(try !isReady(feed.descriptor), "an end is not told again and again")
    }
  }

  @Test func `what was sent while nobody listened is not heard later`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/gps"
    #expect(mkfifo(path, 0o600) == 0)
    var feed = try GPSFeed(.pipe(path: path), at: start)
    let writer = try FileHandle(forWritingTo: URL(filePath: path))
    try writer.write(contentsOf: Data(repeating: 65, count: 20_000))
    feed.drop()
    try writer.write(contentsOf: Data("new".utf8))
    #expect(heard(&feed) == "new")
  }

  @Test func `a file that grows is heard as it grows`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/log"
    try Data("one".utf8).write(to: URL(filePath: path))
    var feed = try GPSFeed(.pipe(path: path), at: start)
    #expect(heard(&feed) == "one")
    #expect(feed.descriptor == -1, "a file is always ready: polling it would never rest")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("two".utf8))
    let due = try #require(feed.nextDue)
    #expect(due <= start + .milliseconds(200))
    #expect(heard(&feed, at: due) == "two")
  }

  @Test func `a path that went is tried again each second`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/gps"
    #expect(mkfifo(path, 0o600) == 0)
    var feed = try GPSFeed(.pipe(path: path), at: start)
    try FileHandle(forWritingTo: URL(filePath: path)).close()
    unlink(path)
    #expect(heard(&feed).isEmpty)
    let due = try #require(feed.nextDue)
    #expect(due == start + .seconds(1) && feed.descriptor == -1)
    #expect(heard(&feed, at: due).isEmpty)
    #expect(feed.nextDue == due + .seconds(1))
    #expect(mkfifo(path, 0o600) == 0)
    #expect(heard(&feed, at: due + .seconds(1)).isEmpty)
    let writer = try FileHandle(forWritingTo: URL(filePath: path))
    try writer.write(contentsOf: Data("back".utf8))
    #expect(heard(&feed, at: due + .seconds(1)) == "back")
  }

  @Test func `what cannot be read is refused at once`() throws {
    let directory = try ScratchDirectory()
    let folder = #expect(throws: IOFailure.self) {
      try GPSFeed(.pipe(path: directory.path), at: start)
    }
    #expect(folder?.errno == EISDIR)
    let nothing = #expect(throws: IOFailure.self) {
      try GPSFeed(.pipe(path: "\(directory.path)/none"), at: start)
    }
    #expect(nothing?.errno == ENOENT)
  }

  @Test func `a place through a FIFO arrives in the event on a real pty`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/gps"
    #expect(mkfifo(path, 0o600) == 0)
    let rig = try Rig(in: directory, gps: .pipe(path: path))
    #expect(try rig.state().receiver == "pipe:\(path)")
    let writer = try FileHandle(forWritingTo: URL(filePath: path))
    let gga = "$GPGGA,120000.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,*67\r\n"
    try writer.write(contentsOf: Data(gga.utf8))
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    var record = try host.event(try rig.press())
    // The receiver's bytes and the press race; a later press has the place.
    if !record.position.isKnown { record = try host.event(try rig.press()) }
    #expect(record.position.latitude == 481_173_000)
  }

  private func heard(_ feed: inout GPSFeed, at now: Instant? = nil) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<3 {
      feed.advance(to: now ?? start)
      while let byte = feed.nextByte() { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func isReady(_ descriptor: Int32) throws -> Bool {
    try Syscall.poll(descriptor, for: POLLIN, until: BootClock.now()) != 0
  }
}
