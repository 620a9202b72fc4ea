import AlertCore
import CLinux
import FobBase
import Foundation
import SerialIO
import Sinks
import Testing

@Suite struct LogSinkTests {
  private let file = LogFile()

  @Test func `each message is one whole line, behind those that are there`() throws {
    try file.write("earlier\n")
    let sent: [OutgoingMessage] = [.sample(.raise), .sample(.closing, sequence: 2)]
    for message in sent {
      // A sink of its own each time: as after a restart.
      try LogSink(path: file.path).deliver(message)
    }
    let lines = try file.lines()
    #expect(lines.count == 3)
    #expect(lines[0] == "earlier")
    let messages = try lines.dropFirst().map {
      try JSONDecoder().decode(OutgoingMessage.self, from: Data($0.utf8))
    }
    #expect(messages == sent.map(\.written))
  }

  @Test func `a text with line breaks in it is still one line`() throws {
    let message = OutgoingMessage.sample(.raise, of: "Owner\nof \"two\" lines\u{2028}\r")
    try LogSink(path: file.path).deliver(message)
    let lines = try file.lines()
    #expect(lines.count == 1)
    let read = try JSONDecoder().decode(OutgoingMessage.self, from: Data(lines[0].utf8))
    #expect(read == message.written)
  }

  @Test func `a pipe that nobody reads is refused, not waited for`() throws {
    try #require(mkfifo(file.path, 0o600) == 0)
    let failure = try #require(throws: IOFailure.self) { try LogSink(path: file.path) }
    #expect(failure.reason == "nobody reads that pipe")
  }

  @Test func `the file is its owner's alone`() throws {
    _ = try LogSink(path: file.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a message of a live device is refused and not written`() throws {
    let sink = try LogSink(path: file.path)
    let live = OutgoingMessage.sample(.raise, device: DeviceID(rawValue: 1))
    let refusal = #expect(throws: SinkFailure.self) { try sink.deliver(live) }
    #expect(
      refusal?.description == "log sink: it serves bench devices only, this one is not")
    #expect(try file.lines().isEmpty)
  }

  @Test func `a full disk is a refusal that says so`() throws {
    let sink = try LogSink(path: "/dev/full")
    let refusal = #expect(throws: SinkFailure.self) { try sink.deliver(.sample(.raise)) }
    #expect(
      refusal?.description == "log sink: cannot write /dev/full: No space left on device")
  }

  @Test func `a folder that is not there is refused by name`() {
    let refusal = #expect(throws: IOFailure.self) { try LogSink(path: "/no/such/folder/log") }
    #expect(refusal?.description == "cannot open /no/such/folder/log: No such file or directory")
  }

  @Test func `a disk that fills up in mid-line leaves whole lines, and later ones whole`() async {
    await #expect(processExitsWith: .success) {
      let file = LogFile()
      let sink = try LogSink(path: file.path)
      signal(SIGXFSZ, SIG_IGN)
      let message = OutgoingMessage.sample(.raise)
      try sink.deliver(message)
      let length = try Data(contentsOf: URL(filePath: file.path)).count
      var limit = rlimit()
      try #require(clinux_prlimit(0, 1, nil, &limit) == 0)
      limit.rlim_cur = UInt(length + length / 2)
      try #require(clinux_prlimit(0, 1, &limit, nil) == 0)
      let refusal = #expect(throws: SinkFailure.self) { try sink.deliver(message) }
      #expect(refusal?.reason.hasSuffix("there was room for a part of the line only") == true)
      limit.rlim_cur = limit.rlim_max
      try #require(clinux_prlimit(0, 1, &limit, nil) == 0)
      try sink.deliver(message)
      #expect(try Set(file.lines()).count == 1)
      #expect(try file.lines().count == 2)
    }
  }
}

/// A file of a test's own, removed at its end.
final class LogFile {
  let path = FileManager.default.temporaryDirectory.path + "/fob-log-\(UUID().uuidString)"

  deinit { unlink(path) }

  func write(_ text: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// Fails the test if the last line has no end.
  func lines() throws -> [String] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.isEmpty || text.hasSuffix("\n"))
    return text.split(separator: "\n").map(String.init)
  }
}
