import ArgumentParser
import Bridge
import Capture
import Control
import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import Transport

/// `fob monitor`: every frame of a line, decoded, as it goes by or from a capture.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Show every frame of a link, decoded, live or from a capture.",
    discussion: """
      Listens to the running bridge, else to the running keychain, through its control socket. \
      With --device it opens a line itself: raw mode and exclusive, and opening a serial port \
      raises DTR and RTS, as Linux does. It then sends nothing, and acks nothing, so events stay \
      on the keychain; with --hello it says HELLO and asks the time.

      A capture is pcapng with link type USER0 (147), one packet a frame with its delimiters, for \
      Wireshark and fob monitor --read. It holds everything, whatever --filter shows.
      """)

  @Option(
    help: "Control socket to listen at. (default: the bridge's, else the keychain's)",
    completion: .controlSocket)
  var socket: String?

  @Option(
    help: "Open this line, e.g. pty:/tmp/fob.pty, and send nothing.",
    completion: .deviceSpec, transform: DeviceSpec.option)
  var device: DeviceSpec?

  @Flag(help: "With --device: send HELLO and ask the time; still ack nothing.")
  var hello = false

  @Option(help: "Decode a capture that --write has made.", completion: .file())
  var read: String?

  @Option(
    help: "Write a pcapng capture to this file, complete after each packet; - alone pipes it.",
    completion: .file())
  var write: String?

  @Flag(help: "List each frame's fields below it.")
  var fields = false

  @Flag(help: "Print the bytes of each frame in hex, delimiters included.")
  var raw = false

  @Option(
    help: """
      Check the tags of paired keychains by this file, keys of a state folder: ✓ right, ✗ wrong \
      (of another key, or of other bytes), – no tag, ? cannot be checked: there is no key of this \
      keychain, or what began its session was not heard.
      """,
    completion: .file())
  var keys: String?

  @OptionGroup var output: JSONOption

  @Option(help: "Show only these frame types, e.g. EVENT,EVENT_ACK,0x7f,damaged.")
  var filter: String?

  @Option(help: "Stop after so many seconds. (default: at Ctrl-C)")
  var seconds: Double?

  @Option(help: "Write \"ready\" to this file descriptor when the monitor listens.")
  var readyFd: Int32?

  func validate() throws {
    let sources = [socket != nil, device != nil, read != nil].count { $0 }
    guard sources <= 1 else {
      throw ValidationError("give one of --socket, --device and --read")
    }
    guard !output.json || write != OutputFile.standardOutput else {
      throw ValidationError("--json and --write - both want standard output: give --write a file")
    }
    if hello, device == nil { throw ValidationError("--hello goes with --device") }
    if read != nil, write != nil || seconds != nil || readyFd != nil {
      throw ValidationError("--read goes without --write, --seconds and --ready-fd")
    }
    guard !output.json || (!fields && !raw) else {
      throw ValidationError("--json has every field and byte already: leave --fields and --raw out")
    }
    if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
      throw ValidationError("--seconds takes more than 0, up to 31536000")
    }
    _ = try shown()
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      if let read { return try decode(read) }
      // Before any thread is started.
      let termination = try Termination()
      let began = BootClock.now()
      let file = try write.map {
        try CaptureFile(
          OutputFile($0, mode: 0o600), version: Fob.configuration.version)
      }
      let monitor = try Monitor(view(), file: file, began: began)
      if let device {
        let source = LineSource(device, saysHello: hello, monitor)
        try source.start()
        defer { source.stop() }
        try watch(monitor, until: termination, since: began)
      } else {
        try TapSource(path: socket).start(monitor)
        try watch(monitor, until: termination, since: began)
      }
      monitor.finish(at: BootClock.now())
      if let failure = monitor.failure { throw failure }
    }
  }

  private func watch(
    _ monitor: Monitor, until termination: borrowing Termination, since began: Instant
  ) throws {
    try SystemdNotifier.notify(readyFD: readyFd)
    let end = seconds.map { began + .microseconds(Int64($0 * 1e6)) }
    // A pipe whose reader has left, as in `fob monitor | head`, reports an error unasked.
    var waits = [
      pollfd(fd: monitor.finished.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: termination.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    _ = try Syscall.poll(&waits, count: waits.count, until: end)
    try SystemdNotifier.stopping()
  }

  /// What a file holds before it is damaged or cut off is shown in any case.
  private func decode(_ path: String) throws {
    let file = try Syscall.open(path, O_RDONLY)
    let monitor = try Monitor(view(), file: nil, began: nil)
    defer { monitor.finish(at: nil) }
    var reader = PcapngReader()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while let count = try chunk.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
      reader.append(chunk.prefix(count))
      do throws(CaptureError) {
        while let packet = try reader.next() { monitor.read(packet) }
      } catch {
        throw Failure(.ioError, "cannot read \(path): \(error)")
      }
    }
    if reader.unfinishedBytes > 0 {
      monitor.say("\(path) was cut off: \(reader.unfinishedBytes) bytes of a packet are left out")
    }
  }

  private func shown() throws -> FrameFilter {
    do {
      return try filter.map { text throws(FrameFilter.UnknownType) in try FrameFilter(text) }
        ?? .all
    } catch {
      throw ValidationError("--filter: \(error)")
    }
  }

  private func view() throws -> Monitor.View {
    Monitor.View(
      text: FrameText(hasColour: Terminal.hasColour, showsFields: fields, showsRaw: raw),
      isJSON: output.json, filter: try shown(), keys: try keys.map(KeyTransfer.keys(inFile:)))
  }
}

/// The lines of a running bridge or keychain, heard through its control socket.
final class TapSource: Sendable {
  private let client: Mutex<ControlClient>

  private struct Line: Decodable {
    let at: Int64?
    let device: String?
    let to: String?
    let bytes: String?
    let lost: Int?
  }

  /// - Parameter path: nil for the bridge of the runtime folder, else its keychain.
  init(path: String?) throws(Failure) {
    let client = try Self.connect(path)
    let answer: String
    do throws(IOFailure) {
      answer = try client.request(#"{"do":"tap"}"#)
    } catch {
      throw Failure(.unreachable, "\(error)")
    }
    try ControlVerdict.check(answer, of: "tap")
    self.client = Mutex(client)
  }

  /// Hands on what comes until the other end closes, on a thread of its own. It is left behind when
  /// the process ends.
  func start(_ monitor: Monitor) throws(IOFailure) {
    _ = try BlockingThread(name: "tap") { [self] in
      client.withLock { client in
        while let line = (try? client.nextLine(before: .endOfTime)) ?? nil { take(line, monitor) }
      }
      monitor.say("the other end has closed")
      monitor.finished.signal()
    }
  }

  private func take(_ text: String, _ monitor: Monitor) {
    guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else { return }
    if let lost = line.lost { monitor.lost(lost) }
    guard let at = line.at, let device = line.device, let bytes = line.bytes.flatMap(Hex.bytes),
      let direction = line.to.flatMap(Direction.init)
    else { return }
    monitor.heard(
      bytes, device: device, direction: direction, at: Instant(microseconds: at))
  }

  private static func connect(_ path: String?) throws(Failure) -> sending ControlClient {
    let paths = path.map { [$0] } ?? [RuntimeFolder.bridgeSocket, RuntimeFolder.keychainSocket]
    var refusals: [String] = []
    for standard in paths {
      do throws(IOFailure) {
        if path == nil { try RuntimeFolder.check() }
        return try ControlClient(path: standard)
      } catch {
        refusals.append("\(error)")
      }
    }
    throw Failure(
      .unreachable,
      refusals.joined(separator: "; ")
        + "; start fob bridge or fob emulate, name its socket with --socket,"
        + " or a line with --device"
    )
  }
}
