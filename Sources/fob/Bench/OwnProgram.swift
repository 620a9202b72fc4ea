import FobBase
import Glibc
import SerialIO

/// This program once more, as a process of its own whose output is read line by line.
struct OwnProgram: ~Copyable {
  private let process: pid_t
  private let output: OwnedDescriptor
  private var pending: [UInt8]
  /// CLOCK_BOOTTIME right before it was asked for.
  let began: Instant

  /// The program that is running now.
  static var path: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    return count > 0
      ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : "fob"
  }

  init(_ arguments: [String]) throws(IOFailure) {
    var ends: [Int32] = [-1, -1]
    _ = try Syscall.run("make", "a pipe") { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = OwnedDescriptor(owning: ends[1], path: "a pipe")
    let output = OwnedDescriptor(owning: ends[0], path: "a pipe")
    let began = BootClock.now()
    process = try Self.spawn([Self.path] + arguments, output: input.number)
    self.output = output
    self.began = began
    pending = []
  }

  private static func spawn(_ words: [String], output: Int32) throws(IOFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
    guard code == 0 else { throw IOFailure("start", errno: code, path: words[0]) }
    return process
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Its next line and when it was read; nil at the end of its output or at the deadline.
  mutating func line(until deadline: Instant) throws(IOFailure) -> (text: String, at: Instant)? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        return (text, BootClock.now())
      }
      guard try Syscall.poll(output.number, for: POLLIN, until: deadline) != 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let number = output.number
      let count = try Syscall.run("read", "its output") { read(number, &buffer, buffer.count) }
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }

  /// Asks it to end in good order, and waits for that.
  consuming func stop() {
    kill(process, SIGTERM)
    let deadline = BootClock.now() + .seconds(10)
    while (try? line(until: deadline)) != nil {}
  }
}
