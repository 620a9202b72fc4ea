import Foundation
import SerialIO

/// A file that a person reads or wrote, whole.
enum TextFile {
  static let longest = 1 << 20

  /// - Throws: `Failure` for what cannot be read, is over 1 MiB or is not UTF-8.
  static func read(_ path: String) throws(Failure) -> String { try readTelling(path).text }

  /// - Returns: with it, whether others cannot read it.
  static func readTelling(_ path: String) throws(Failure) -> (text: String, isPrivate: Bool) {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw Failure(.cannotOpen, "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    return (try text(of: file, path), SecretFile.isPrivate(file.fileDescriptor, path))
  }

  /// The rest of standard input.
  static func readInput() throws(Failure) -> String {
    try text(of: .standardInput, "standard input")
  }

  private static func text(of file: FileHandle, _ path: String) throws(Failure) -> String {
    guard let data = try? file.read(upToCount: longest + 1) ?? Data() else {
      throw Failure(.cannotOpen, "cannot read \(path): is it a file?")
    }
    guard data.count <= longest, let text = String(data: data, encoding: .utf8) else {
      throw Failure(.usage, "cannot read \(path): it is no UTF-8 text of at most 1 MiB")
    }
    return text
  }
}
