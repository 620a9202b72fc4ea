import AlertCore
import Foundation
public import SerialIO

/// Writes each message as a line of JSON to a file: the way out of a bench. It serves bench devices
/// alone, so that nobody relies on it.
public final class LogSink: Sink {
  public let name = "log"
  public let isTest = true
  public let path: String
  private let file: OwnedDescriptor

  /// - Parameter path: appended to; a file, pipe or terminal.
  public init(path: String) throws(IOFailure) {
    self.path = path
    file = try Syscall.open(path, O_WRONLY | O_APPEND | O_CREAT, mode: 0o600)
  }

  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    guard message.isBench else {
      throw SinkFailure(sink: name, reason: "it serves bench devices only, this one is not")
    }
    let line: Data
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      line = try encoder.encode(message) + Data("\n".utf8)
    } catch {
      throw SinkFailure(sink: name, reason: "the message has no JSON form: \(error)")
    }
    do {
      try write(line)
    } catch {
      throw SinkFailure(sink: name, reason: "\(error)")
    }
  }

  private func write(_ line: Data) throws {
    let number = file.number
    let written = try line.withUnsafeBytes { bytes in
      try Syscall.run("write", path) { Foundation.write(number, bytes.baseAddress, bytes.count) }
    }
    guard written < line.count else { return }
    // Taken back, where the file allows it, so that the next line begins one.
    let end = lseek(number, 0, SEEK_END)
    if end >= written { _ = ftruncate(number, end - off_t(written)) }
    throw IOFailure(
      "write", errno: ENOSPC, path: path, reason: "there was room for a part of the line only")
  }
}
