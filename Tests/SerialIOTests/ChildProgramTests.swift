import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct ChildProgramTests {
  private static let patience = Interval.seconds(30)

  /// What a shell says that runs `line`, and how it ended.
  private func run(
    _ line: String, others: [Int32] = [], limit: Int = 4_096
  ) throws -> (text: String, end: ChildProgram.End) {
    let output = try BoundedOutput(limit: limit)
    let child = try ChildProgram(
      ["/bin/sh", "-c", line], .init(output: output.descriptor, others: others))
    let end = try #require(try child.awaitEnd(until: BootClock.now() + Self.patience))
    return (output.text, end)
  }

  @Test func `a child has the descriptors that it is given, and none that we forgot to mark`()
    throws
  {
    let leaked = OwnedDescriptor(owning: fcntl(0, F_DUPFD, 200), path: "a leak")
    let given = OwnedDescriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 300), path: "a gift")
    try #require(leaked.number >= 200 && given.number >= 300)
    let (text, end) = try run("ls /proc/$$/fd", others: [given.number])
    #expect(end == .exited(0))
    // dash opens none that lasts.
    #expect(
      Set(text.split(separator: "\n").map(String.init)) == ["0", "1", "2", "\(given.number)"])
    #expect(fcntl(leaked.number, F_GETFD) == 0, "our own is as it was")
    #expect(fcntl(given.number, F_GETFD) == FD_CLOEXEC)
  }

  @Test func `a child blocks and ignores no signal, whatever the thread does that starts it`()
    throws
  {
    let said = Gathered<String>()
    let thread = try BlockingThread(name: "starter") { [self] in
      signal(SIGUSR1, SIG_IGN)
      defer { signal(SIGUSR1, SIG_DFL) }
      said.put((try? run("grep -E '^Sig(Blk|Ign)' /proc/self/status").text) ?? "")
    }
    let text = try said.take(atLeast: 1)[0]
    let masks = text.split(separator: "\n").compactMap {
      UInt64($0.drop { $0 != "\t" }.dropFirst(), radix: 16)
    }
    // Without 32 and 33, which are the C library's own: nobody may set what they do.
    #expect(masks.map { $0 & ~(0b11 << 31) } == [0, 0], "\(text)")
    #expect(thread.join(within: Self.patience))
  }

  @Test func `a child dies with the thread that started it`() throws {
    let started = Gathered<ChildProgram>()
    let thread = try BlockingThread(name: "starter") {
      if let child = try? ChildProgram(["/bin/sleep", "1000"], .init()) { started.put(child) }
    }
    let child = try started.take(atLeast: 1)[0]
    #expect(thread.join(within: Self.patience))
    #expect(try child.awaitEnd(until: BootClock.now() + Self.patience) == .killed(SIGKILL))
  }

  @Test func `a child is killed with what it has started`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path("alive")
    try #require(mkfifo(path, 0o600) == 0)
    let fifo = try Syscall.open(path, O_RDONLY | O_NONBLOCK)
    let child = try ChildProgram(
      ["/bin/sh", "-c", "exec > \(path); sleep 1000 & echo; wait"], .init())
    let deadline = BootClock.now() + Self.patience
    #expect(try Syscall.poll(fifo.number, for: POLLIN, until: deadline) & POLLIN != 0)
    var byte: UInt8 = 0
    #expect(read(fifo.number, &byte, 1) == 1)
    child.kill()
    #expect(try child.awaitEnd(until: deadline) == .killed(SIGKILL))
    // Both had it open.
    #expect(try Syscall.poll(fifo.number, for: POLLIN, until: deadline) == POLLHUP)
    child.kill()
  }

  @Test func `what a child prints beyond its room harms nobody`() throws {
    let (text, end) = try run(
      "head -c 100000 /dev/zero | tr '\\0' x 2>/dev/null; exit 3", limit: 4_096)
    #expect(end == .exited(3))
    #expect(text == String(repeating: "x", count: 4_096))
  }

  @Test func `a program that is not there is refused by name, and leaves nothing behind`() throws {
    let refusal = #expect(throws: IOFailure.self) { try ChildProgram(["/no/such/tool"], .init()) }
    #expect(refusal?.description == "cannot start /no/such/tool: No such file or directory")
  }
}
