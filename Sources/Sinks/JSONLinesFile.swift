import Foundation
public import SerialIO
import Synchronization

/// A file to which values are appended, each as a line of JSON: the whole line or nothing.
final class JSONLinesFile: Sendable {
  let path: String
  private let file: OwnedDescriptor
  /// A part of a line is taken back before anybody else writes.
  private let writing = Mutex<Void>(())

  /// - Parameter path: a file, pipe or terminal.
  /// - Throws: `IOFailure`, also for a pipe that nobody reads: waiting for a reader would stop all
  ///   else.
  init(path: String) throws(IOFailure) {
    self.path = path
    do throws(IOFailure) {
      file = try Syscall.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode: 0o600)
    } catch {
      guard error.errno == ENXIO else { throw error }
      throw IOFailure("open", errno: ENXIO, path: path, reason: "nobody reads that pipe")
    }
    let number = file.number
    try Syscall.run("set up", path) { fcntl(number, F_SETFL, O_WRONLY | O_APPEND) }
  }

  /// - Throws: `SinkFailure` in the name of `sink`.
  func append(_ value: some Encodable, by sink: String) throws(SinkFailure) {
    let line: Data
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      line = try encoder.encode(value) + Data("\n".utf8)
    } catch {
      throw SinkFailure(sink: sink, reason: "the message has no JSON form: \(error)")
    }
    do {
      try writing.withLock { _ in try write(line) }
    } catch {
      throw SinkFailure(sink: sink, reason: "\(error)")
    }
  }

  private func write(_ line: Data) throws {
    let number = file.number
    let written = try line.withUnsafeBytes { bytes in
      try Syscall.run("write", path) { Foundation.write(number, bytes.baseAddress, bytes.count) }
    }
    guard written < line.count else { return }
    // Takes the part back if the file allows it, so that the next line begins on its own.
    let end = lseek(number, 0, SEEK_END)
    if end >= written { _ = ftruncate(number, end - off_t(written)) }
    throw IOFailure(
      "write", errno: ENOSPC, path: path, reason: "there was room for a part of the line only")
  }
}

/// Writes each message as a line of JSON to a file: the notification channel of a bench. It serves
/// bench devices only, so that nobody relies on it.
public final class LogSink: Sink {
  /// Always "log".
  public let name = "log"
  /// Bench devices may use it, and `deliver` refuses all others.
  public let isTest = true
  /// The file as it was named.
  public var path: String { file.path }
  private let file: JSONLinesFile

  /// - Parameter path: appended to; a file, pipe or terminal.
  public init(path: String) throws(IOFailure) { file = try JSONLinesFile(path: path) }

  /// Appends the message as one line; throws if it is not of a bench device, or the line does not
  /// fit.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    guard message.isBench else {
      throw SinkFailure(sink: name, reason: "it serves bench devices only, this one is not")
    }
    try file.append(message, by: name)
  }
}
